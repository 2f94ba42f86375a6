// One pool: its counters, its last minute, who lives in which slot and how long they lived.
import {get} from './api.js';
import {Chart, Histogram} from './chart.js';
import {h, setFlag, setText, setValue} from './dom.js';
import {eventRow} from './event_row.js';
import {bytes, percent, plural, rate, short, whole} from './format.js';
import {OccupancyMap} from './map.js';
import {changed, store} from './store.js';

const readEvery = 1000;  // ms between two readings of what samples do not carry
const mostEvents = 40;

const counters = [
    ['live', 'Live', 'Objects that live now'],
    ['peak', 'Peak', 'The most that ever lived at once'],
    ['capacity', 'Capacity', 'Slots that there are'],
    ['max_capacity', 'May grow to', 'Slots that there may be'],
    ['bytes', 'Memory', 'Bytes that the pool holds'],
    ['idle', 'Idle', 'Constructed objects that wait'],
    ['waiting_ends', 'Unconfirmed', 'Objects whose end waits to be confirmed'],
    ['retired', 'Retired', 'Slots whose generations are used up'],
    ['churn', 'Churn a second', 'Objects acquired a second, over the last second'],
    ['acquired', 'Acquired', 'Since the program began'],
    ['released', 'Released', 'Since the program began'],
    ['refused', 'Refused', 'Requests that were refused: drops'],
    ['replaced', 'Replaced', 'Objects that were ended for newer ones: evictions'],
    ['merged', 'Merged', 'Objects that became one with another'],
    ['grown', 'Grown', 'Times that the pool grew'],
    ['bad_releases', 'Bad releases', 'Releases of what did not live: stale handles'],
    ['created', 'Constructed', 'Constructors that ran'],
    ['destroyed', 'Destroyed', 'Destructors that ran'],
];

export function poolPage(id) {
    let lifetimes = null;
    let readAt = 0;
    let busy = false;
    let closed = false;
    let shownEvents = '';

    const name = h('h1', {});
    const shape = h('span', {class: 'shape'});
    const place = h('span', {class: 'place'});
    const misused = h('span', {class: 'misused', hidden: true});
    const values = {};
    const tiles = counters.map(([key, title, hint]) => {
        values[key] = h('b', {'data-counter': key});
        return h('div', {class: 'tile', title: hint}, h('span', {class: 'tile-title'}, title), values[key]);
    });
    const charts = {
        live: new Chart({title: 'Live', hint: 'Objects that live; the dashed line is the capacity', pick: (s) => s.live, colour: 'accent', whole: true}),
        churn: new Chart({title: 'Churn a second', hint: 'Objects acquired a second', pick: (s) => s.rate.acquired, colour: 'violet'}),
        refused: new Chart({title: 'Refused a second', hint: 'Drops', pick: (s) => s.rate.refused, colour: 'bad', bars: true}),
        replaced: new Chart({title: 'Replaced a second', hint: 'Evictions', pick: (s) => s.rate.replaced, colour: 'warn', bars: true}),
    };
    const map = new OccupancyMap(id);
    const histogram = new Histogram();
    const events = h('ol', {class: 'event-list compact', reversed: true});
    const element = h('div', {class: 'page'},
        h('div', {class: 'page-head'}, h('a', {class: 'back', href: '#/', 'aria-label': 'Back to the overview'}, '‹ Pools'), name, shape, misused, place),
        h('section', {class: 'tiles panel', 'aria-label': 'Counters'}, tiles),
        h('section', {class: 'charts', 'aria-label': 'Last minute'}, Object.values(charts).map((chart) => chart.element)),
        h('div', {class: 'pool-lower'}, map.element,
          h('div', {class: 'pool-side'}, histogram.element,
            h('section', {class: 'panel', 'aria-label': 'Events of this pool'}, h('h2', {}, 'Events of this pool'), events))));

    async function read() {
        if (busy || closed || store.link.state === 'gone') return;
        busy = true;
        readAt = performance.now();
        try {
            const answer = await get(`pools/${id}`);
            const pool = store.pools.get(id);
            if (pool) for (const [key] of counters) if (key in answer) pool[key] = answer[key];
            lifetimes = answer.lifetimes ?? null;
            changed();
        } catch {
            // the page says so when the program has gone
        } finally {
            busy = false;
        }
    }

    function update() {
        const pool = store.pools.get(id);
        setFlag(element, 'data-missing', !pool);
        if (!pool) {
            setText(name, store.hello ? `There is no pool ${id}` : '');
            return;
        }
        if (performance.now() - readAt > readEvery) read();
        const now = store.now;
        setText(name, pool.name);
        setText(shape, pool.shape);
        const world = store.worlds.get(pool.world);
        setText(place, pool.gone ? 'gone: the program has ended this pool' : world ? 'in ' : '');
        if (world && !pool.gone) place.append(h('a', {href: `#/world/${world.id}`}, world.name));
        const reports = store.misuse.of.get(id) ?? 0;
        misused.hidden = reports === 0;
        if (reports > 0) setText(misused, plural(reports, 'misuse'));
        for (const [key] of counters) {
            if (key === 'bytes') setValue(values.bytes, pool.bytes, bytes(pool.bytes), `${whole(pool.bytes)} bytes`);
            else if (key === 'churn') {
                const churn = pool.series.lastSecond('acquired');
                setValue(values.churn, churn.toFixed(1), rate(churn));
            } else setValue(values[key], pool[key], pool[key] < 1e7 ? whole(pool[key]) : short(pool[key]), whole(pool[key]));
        }
        values.live.parentElement.title = `${percent(pool.live, pool.capacity)} of the capacity`;
        for (const key of ['refused', 'replaced', 'bad_releases']) {
            values[key].parentElement.dataset.level = pool[key] === 0 ? '' : key === 'replaced' ? 'warn' : 'bad';
        }
        charts.live.draw(pool.series, now, pool.capacity);
        charts.churn.draw(pool.series, now);
        charts.refused.draw(pool.series, now);
        charts.replaced.draw(pool.series, now);
        if (lifetimes) histogram.draw(lifetimes);
        map.refresh(pool);
        const mine = store.events.filter((event) => event.pool === id);
        const state = `${mine.length} ${mine.at(-1)?.number}`;
        if (state !== shownEvents) {
            shownEvents = state;
            events.replaceChildren(...mine.slice(-mostEvents).reverse().map((event) => eventRow(event, 'none')));
            if (mine.length === 0) events.append(h('li', {class: 'empty'}, 'Nothing so far.'));
            if (mine.length > mostEvents) events.append(h('li', {class: 'empty'}, `${plural(mine.length - mostEvents, 'older event')}`));
        }
    }

    function neighbour(by) {
        const ids = [...store.pools.keys()].sort((a, b) => a - b);
        const next = ids[ids.indexOf(id) + by];
        if (next !== undefined) location.replace(`#/pool/${next}`);
    }

    update();
    return {
        element,
        get title() {
            return store.pools.get(id)?.name ?? 'Pool';
        },
        update,
        close() {
            closed = true;
            map.close();
            histogram.close();
            for (const chart of Object.values(charts)) chart.close();
        },
        keys: {
            j: () => neighbour(1),
            k: () => neighbour(-1),
            '+': () => map.zoom(2),
            '=': () => map.zoom(2),
            '-': () => map.zoom(0.5),
            0: () => map.whole(),
        },
    };
}
