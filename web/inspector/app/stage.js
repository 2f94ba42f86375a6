// One stage: its classes, its entities, its journal and who reads that.
import {h, setFlag, setText, setValue} from './dom.js';
import {EntityList} from './entity_list.js';
import {bytes, percent, plural, rate, short, whole} from './format.js';
import {JournalTail} from './journal_tail.js';
import {commitsASecond, store} from './store.js';

const figures = [
    ['entities', 'Entities', 'That live now'],
    ['births', 'Births', 'Lives that began: the highest generation that was given'],
    ['commits', 'Commits', 'Since the stage began; a rewind takes them back'],
    ['rate', 'Commits a second', 'Over the last second'],
    ['commits_refused', 'Refused', 'Commits that were refused: conflicts, locks, rules', 'warn'],
    ['used', 'Journal', 'Memory of its entries, of what there is'],
    ['open', 'Not confirmed', 'Memory of entries that a rewind can take back'],
    ['dropped', 'Dropped', 'Entries that went to make room'],
    ['refused', 'No room', 'Commits that the journal had no room for', 'bad'],
    ['cuts', 'Cuts', 'Rewinds that took entries back'],
    ['resets', 'Resets', 'Times that all entries went'],
    ['managed', 'Managed', 'Resources that belong to lives'],
    ['managed_waiting', 'Waiting', 'Resources of lives whose end is not certain'],
    ['listeners', 'Listeners', 'Of single lives'],
    ['idle_overflow', 'Overflow', 'Entities that were to be pooled and were destroyed'],
];

const inBytes = ['used', 'open'];

/// Kept by stage, so that coming back finds the list as it was left.
const kept = new Map();

export function figureOf(stage, key) {
    return key === 'rate' ? commitsASecond(stage) : stage[key] ?? stage.journal[key] ?? 0;
}

/// Writes one of the figures above into an element.
export function showFigure(element, stage, key) {
    const value = figureOf(stage, key);
    if (key === 'rate') setValue(element, value.toFixed(1), rate(value));
    else if (key === 'used') setValue(element, value, percent(value, stage.journal.capacity), `${whole(value)} of ${whole(stage.journal.capacity)} bytes`);
    else if (inBytes.includes(key)) setValue(element, value, bytes(value), `${whole(value)} bytes`);
    else setValue(element, value, short(value), whole(value));
}

export function stagePage(id) {
    if (!kept.has(id)) kept.set(id, {text: '', type: '', only: 'all'});
    const name = h('h1', {});
    const role = h('span', {class: 'shape'});
    const now = h('span', {class: 'place'});
    const others = h('nav', {class: 'segments', 'aria-label': 'Stages', hidden: true});
    const values = {};
    const tiles = figures.map(([key, title, hint]) => {
        values[key] = h('b', {'data-figure': key});
        return h('div', {class: 'tile', title: hint}, h('span', {class: 'tile-title'}, title), values[key]);
    });
    const list = new EntityList(id, kept.get(id));
    const tail = new JournalTail(id);
    const classes = h('ul', {class: 'class-list'});
    const readers = h('ul', {class: 'reader-list'});
    const element = h('div', {class: 'page'},
        h('div', {class: 'page-head'}, h('a', {class: 'back', href: '#/', 'aria-label': 'Back to the overview'}, '‹ Overview'), name, role, now, others),
        h('section', {class: 'tiles panel', 'aria-label': 'Figures'}, tiles),
        h('div', {class: 'stage-main'},
          list.element,
          h('div', {class: 'pool-side'},
            h('section', {class: 'panel', 'aria-label': 'Classes'}, h('h2', {}, 'Classes'), classes),
            h('section', {class: 'panel', 'aria-label': 'Readers of the journal'}, h('h2', {}, 'Readers of the journal'), readers))),
        tail.element);

    const classRows = new Map();
    function showClasses(stage) {
        for (const one of stage.classes) {
            let row = classRows.get(one.number);
            if (!row) {
                row = {count: h('b', {'data-count': one.name})};
                row.note = h('span', {class: 'class-note'});
                row.button = h('button', {type: 'button', class: 'class-button', 'data-class': one.name, 'aria-pressed': 'false',
                                          onclick: () => list.ask({type: list.kept.type === String(one.number) ? '' : String(one.number)})},
                    h('span', {class: 'class-name'}, one.name), row.note, row.count);
                classRows.set(one.number, row);
                classes.append(h('li', {}, row.button));
            }
            setValue(row.count, one.live, short(one.live), whole(one.live));
            setFlag(row.count, 'data-zero', one.live === 0);
            setText(row.note, [one.fresh ? 'fresh' : '', one.history ? `history ${one.history}` : '', one.changeable ? '' : 'mirror'].filter(Boolean).join(', '));
            row.button.setAttribute('aria-pressed', String(list.kept.type === String(one.number)));
        }
    }

    let shownReaders = '';
    function showReaders(stage) {
        const state = JSON.stringify(stage.readers);
        if (state === shownReaders) return;
        shownReaders = state;
        readers.replaceChildren(...stage.readers.map((one) => h('li', {'data-reader': one.name},
            h('span', {class: 'reader-name'}, one.name),
            h('span', {class: 'class-note', title: one.reads === 'confirmed' ? 'only what cannot be taken back' : 'everything, at once'}, one.reads),
            one.state === 'ready' ? null : h('span', {class: 'badge', 'data-reader-state': one.state}, one.state),
            h('span', {class: 'reader-lag', title: `${plural(one.read, 'entry', 'entries')} read, fell behind ${plural(one.fell_behind, 'time')}`},
              one.lag === 0 ? 'up to date' : `${short(one.lag)} to read`))));
    }

    function showOthers() {
        const state = [...store.stages.values()].map((stage) => `${stage.id} ${stage.name}`).join();
        others.hidden = store.stages.size < 2;
        if (others.dataset.state === state) return;
        others.dataset.state = state;
        others.replaceChildren(...[...store.stages.values()].map((stage) =>
            h('a', {class: 'segment', href: `#/stage/${stage.id}`, 'aria-current': stage.id === id ? 'page' : null}, stage.name)));
    }

    function update() {
        const stage = store.stages.get(id);
        setFlag(element, 'data-missing', !stage);
        if (!stage) {
            setText(name, store.hello ? `There is no stage ${id}` : '');
            return;
        }
        setText(name, stage.name);
        setText(role, `${stage.role} stage`);
        setText(now, `now ${whole(stage.now)}`);
        showOthers();
        for (const [key, , , level] of figures) {
            showFigure(values[key], stage, key);
            if (level) values[key].parentElement.dataset.level = figureOf(stage, key) === 0 ? '' : level;
        }
        showClasses(stage);
        showReaders(stage);
        list.update();
        tail.update();
    }

    update();
    return {
        element,
        get title() { return store.stages.get(id)?.name ?? 'Stage'; },
        update,
        close() {
            list.close();
            tail.close();
        },
        keys: {
            j: () => list.move(1),
            k: () => list.move(-1),
            n: () => list.turn(1),
            p: () => list.turn(-1),
            '/': () => list.search.focus(),
        },
    };
}
