// The running game, and the hand on its time.
import {hasToken, stream} from './api.js';
import {drawField, lookOf, looks} from './arena_draw.js';
import {command, controlOf, limited, send} from './control.js';
import {begin, h, setText, setValue, unwatchCanvas, watchCanvas} from './dom.js';
import {fromBase64, short, whole} from './format.js';
import {changed, store} from './store.js';

const seeksASecond = 20;
const widest = 1920;  // pixels: above it a screen of bullets costs more than it shows
const speeds = [0.25, 0.5, 1, 2, 4, 8];
const verbs = {seed: 'Restart', burst: 'Fire'};  // what the button beside a value says
const knownCommands = ['pause', 'step', 'speed', 'seek'];

function pointsOf(group) {
    const bytes = fromBase64(group.points);
    return {kind: group.kind, points: new Int16Array(bytes.buffer, 0, bytes.length >> 1)};
}

export function arenaPage() {
    let source = null;
    let frame = null;
    let fresh = false;
    let closed = false;
    let dragging = false;
    let asked = 0;
    let seeking = null;  // the tick that was asked for and not seen yet
    let counted = {since: performance.now(), frames: 0};
    let controls = '';

    const canvas = h('canvas', {class: 'arena-canvas', role: 'img', 'aria-label': 'The running game'});
    const veil = h('div', {class: 'arena-veil', hidden: true});
    const slider = h('input', {type: 'range', class: 'time', id: 'time', 'aria-label': 'Time: ticks that the program remembers', min: '0', max: '0', value: '0', step: '1'});
    const tick = h('b', {class: 'readout-value', id: 'tick'}, '–');
    const hash = h('code', {class: 'readout-value hash', id: 'hash'}, '–');
    const replay = h('span', {class: 'replay', id: 'replay', 'data-exact': 'unknown'}, 'no replay yet');
    const frames = h('b', {class: 'readout-value', id: 'frames'}, '–');
    const oldest = h('span', {class: 'time-end'});
    const newest = h('span', {class: 'time-end'});
    const transport = h('div', {class: 'transport-buttons'});
    const others = h('div', {class: 'arena-controls'});
    const legend = h('ul', {class: 'legend'});
    const counts = h('dl', {class: 'counts'});
    const element = h('div', {class: 'page arena'},
        h('h1', {class: 'unseen'}, 'Arena'),
        h('div', {class: 'arena-main'},
          h('div', {class: 'arena-stage'},
            h('div', {class: 'arena-field'}, canvas, veil),
            h('section', {class: 'panel transport', 'aria-label': 'Time'},
              h('div', {class: 'time-row'}, transport, h('div', {class: 'time-box'}, slider, h('div', {class: 'time-ends'}, oldest, newest))),
              h('div', {class: 'readouts'},
                h('span', {class: 'readout'}, 'Tick ', tick), h('span', {class: 'readout', title: 'Hash of the whole state at this tick'}, 'State ', hash),
                replay)),
            h('section', {class: 'panel arena-counts', 'aria-label': 'Counts'}, h('h2', {}, 'The program counts'), counts)),
          h('aside', {class: 'arena-side'},
            h('section', {class: 'panel', 'aria-label': 'Controls'}, h('h2', {}, 'Controls'), others),
            h('section', {class: 'panel', 'aria-label': 'On the field'}, h('h2', {}, 'On the field', h('span', {class: 'more'}, frames, ' frames/s')), legend))));

    // --- controls ---------------------------------------------------------------------------------------------------------

    let pauseButton = null;
    const speedButtons = [];
    function buildControls() {
        const state = JSON.stringify(store.hello?.commands ?? []);
        if (state === controls) return;
        controls = state;
        transport.replaceChildren();
        others.replaceChildren();
        speedButtons.length = 0;
        pauseButton = null;
        if (command('pause')) {
            pauseButton = h('button', {type: 'button', class: 'button main transport-button', 'data-command': 'pause', 'aria-pressed': 'false', title: 'space',
                                       onclick: () => send('pause', !store.paused, true)}, 'Pause');
            transport.append(pauseButton);
        }
        if (command('step')) {
            transport.append(h('button', {type: 'button', class: 'button transport-button', 'data-command': 'step', title: 'one tick (s)',
                                          onclick: () => send('step', null, true)}, 'Step'));
        }
        if (command('seek')) {
            transport.append(h('button', {type: 'button', class: 'button transport-button', 'data-command': 'seek', title: 'to the newest tick (End)',
                                          onclick: () => frame && seek(frame.newest)}, 'Latest'));
        }
        slider.disabled = !command('seek');
        const speed = command('speed');
        if (speed) {
            // Numbers of a command are whole, so a program that also slows down names its speeds as a choice.
            const values = speed.kind === 'choice' ? speed.choices
                : speeds.filter((value) => value >= (speed.min ?? 0) && value <= (speed.max ?? 8));
            for (const value of values) {
                speedButtons.push(h('button', {type: 'button', class: 'segment', 'data-speed': value, 'aria-pressed': 'false',
                                               onclick: () => send('speed', value, true)}, {0.25: '¼', 0.5: '½'}[value] ?? String(value)));
            }
            others.append(h('div', {class: 'control-row'}, h('span', {class: 'control-label'}, speed.label),
                h('div', {class: 'segments', role: 'group', 'aria-label': speed.label}, speedButtons)));
        }
        const buttons = h('div', {class: 'control-buttons'});
        for (const known of store.hello?.commands ?? []) {
            if (knownCommands.includes(known.name)) continue;
            if (known.kind === 'number' || known.kind === 'choice') others.append(controlOf(known, verbs[known.name]));
            else buttons.append(controlOf(known));
        }
        if (buttons.hasChildNodes()) others.append(buttons);
        if (!others.hasChildNodes()) others.append(h('p', {class: 'empty'}, 'The program offers no controls.'));
    }

    const sendSeek = limited(seeksASecond, async (to) => {
        const done = await send('seek', to, true);
        if (!done) seeking = null;
        return done;
    });

    function seek(to) {
        if (!frame || !command('seek')) return;
        const aim = Math.min(frame.newest, Math.max(frame.oldest, Math.round(to)));
        seeking = {to: aim, until: performance.now() + 1500};
        slider.value = aim;
        setText(tick, whole(aim));
        sendSeek(aim);
    }
    slider.addEventListener('pointerdown', () => { dragging = true; });
    for (const end of ['pointerup', 'pointercancel', 'blur']) slider.addEventListener(end, () => { dragging = false; });
    slider.addEventListener('input', () => seek(Number(slider.value)));

    function stepSlider(by) {
        if (frame) seek((seeking?.to ?? frame.at) + by);
    }

    // --- the stream of frames -------------------------------------------------------------------------------------------------

    function open() {
        if (source || closed || document.hidden) return;
        source = stream('views/arena', hasToken());
        source.addEventListener('frame', (event) => {
            frame = JSON.parse(event.data);
            fresh = true;
            store.paused = Boolean(frame.paused);
            request();
        });
        source.addEventListener('error', shut);
        source.addEventListener('bye', shut);
    }

    function shut() {
        source?.close();
        source = null;
    }

    const onVisibility = () => (document.hidden ? shut() : open());
    document.addEventListener('visibilitychange', onVisibility);

    // --- drawing ------------------------------------------------------------------------------------------------------------------

    function request() {
        if (!asked && !closed) asked = requestAnimationFrame(draw);
    }

    function draw() {
        asked = 0;
        if (!frame || closed) return;
        if (fresh) ++counted.frames;
        fresh = false;
        const drawing = begin(canvas, widest);
        if (drawing) {
            const groups = (frame.groups ?? []).map(pointsOf);
            element.dataset.drawn = drawField(drawing.context, canvas, frame, groups);
            element.dataset.tick = frame.tick;
            showLegend(groups);
        }
        showTime();
        showCounts();
    }

    const legendRows = new Map();
    function showLegend(groups) {
        const tally = new Map();
        for (const kind of Object.keys(looks)) tally.set(kind, 0);
        for (const {kind, points} of groups) tally.set(kind, (tally.get(kind) ?? 0) + (points.length >> 1));
        for (const [kind, count] of tally) {
            let row = legendRows.get(kind);
            if (!row) {
                if (count === 0) continue;
                row = {value: h('b', {'data-kind': kind}), swatch: h('i', {class: 'swatch'})};
                row.swatch.style.background = lookOf(kind).colour;
                legendRows.set(kind, row);
                legend.append(h('li', {}, row.swatch, h('span', {}, lookOf(kind).name), row.value));
            }
            setValue(row.value, count, short(count));
        }
    }

    const countRows = new Map();
    function showCounts() {
        for (const [name, count] of Object.entries(frame.counts ?? {})) {
            let value = countRows.get(name);
            if (!value) {
                value = h('dd', {'data-count': name});
                countRows.set(name, value);
                counts.append(h('div', {}, h('dt', {}, name.replaceAll('_', ' ')), value));
            }
            setValue(value, count, short(count), whole(count));
        }
    }

    function showTime() {
        if (seeking && (frame.at === seeking.to || performance.now() > seeking.until) && !dragging) seeking = null;
        slider.min = frame.oldest;
        slider.max = frame.newest;
        if (!dragging && !seeking) {
            slider.value = frame.at;
            setText(tick, whole(frame.at));
        }
        slider.setAttribute('aria-valuetext', `tick ${frame.at}`);
        const span = Math.max(1, frame.newest - frame.oldest);
        slider.style.setProperty('--at', ((Number(slider.value) - frame.oldest) / span).toFixed(4));
        setText(oldest, whole(frame.oldest));
        setText(newest, whole(frame.newest));
        setText(hash, frame.hash);
        const {checked = 0, exact = true} = frame.replay ?? {};
        replay.dataset.exact = checked === 0 ? 'unknown' : String(exact);
        setText(replay, checked === 0 ? 'no replay yet' : exact ? `✓ replay exact, ${whole(checked)} checked` : `✗ replay not exact, ${whole(checked)} checked`);
        if (pauseButton) {
            setText(pauseButton, frame.paused ? 'Resume' : 'Pause');
            pauseButton.setAttribute('aria-pressed', String(Boolean(frame.paused)));
        }
        for (const button of speedButtons) button.setAttribute('aria-pressed', String(Number(button.dataset.speed) === frame.speed));
        const seed = others.querySelector('[data-input="seed"]');
        if (seed && seed.dataset.seen !== String(frame.seed) && document.activeElement !== seed) {
            seed.value = frame.seed;
            seed.dataset.seen = frame.seed;
        }
    }

    const clock = setInterval(() => {
        const now = performance.now();
        setText(frames, String(Math.round((counted.frames * 1000) / (now - counted.since))));
        counted = {since: now, frames: 0};
    }, 1000);

    watchCanvas(canvas, request);

    function update() {
        buildControls();
        if (store.link.state === 'live' && !source) open();
        const away = store.hello && !store.hello.views?.includes('arena');
        veil.hidden = Boolean(frame) && !away;
        setText(veil, away ? 'This program shows no arena.' : 'Waiting for the first frame');
    }

    update();
    return {
        element,
        title: 'Arena',
        update,
        close() {
            closed = true;
            shut();
            cancelAnimationFrame(asked);
            clearInterval(clock);
            document.removeEventListener('visibilitychange', onVisibility);
            unwatchCanvas(canvas);
            changed();
        },
        keys: {
            ArrowLeft: (event) => stepSlider(event.shiftKey ? -10 : -1),
            ArrowRight: (event) => stepSlider(event.shiftKey ? 10 : 1),
            Home: () => frame && seek(frame.oldest),
            End: () => frame && seek(frame.newest),
            s: () => command('step') && send('step', null, true),
        },
    };
}
