// What is known of the program. The feed writes it, the views read it; `changed` asks for one drawing at the next frame.
import {Series} from './series.js';

export const store = {
    hello: null,
    tick: 0,
    now: 0,             // ms of the program's clock at the last sample: what charts count back from
    heard: 0,           // ms of the page's clock when it came
    pools: new Map(),   // id → P of the protocol, `series`, and `sampled`: counters of the last sample
    worlds: new Map(),  // id → W of the protocol
    stages: new Map(),  // id → S of the protocol, and `seen`: [ms, commits] of the last second
    stores: new Map(),  // id → T of the protocol, with `durable_tick` and `confirmed_tick`
    events: [],         // oldest first
    eventsNext: 0,
    eventsDropped: 0,
    misuse: {all: 0, of: new Map()},  // how often: in sum, and by pool id
    paused: false,      // as the arena view or the last control said
    link: {state: 'connecting', since: Date.now(), reason: ''},
};

const mostEvents = 2000;  // the program keeps 512; a page that stays open keeps some more
const listeners = new Set();
let asked = false;

/// Runs `listener` at the animation frame after a change; a hidden page gets no frames and draws nothing.
export function onChange(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

export function changed() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
        asked = false;
        for (const listener of [...listeners]) listener();
    });
}

export function reset() {
    store.pools.clear();
    store.worlds.clear();
    store.stages.clear();
    store.stores.clear();
    store.events = [];
    store.eventsNext = 0;
    store.eventsDropped = 0;
    countMisuse();
    store.paused = false;
    store.now = 0;
}

export function takePools(answer) {
    const seen = new Set();
    for (const pool of answer.pools) {
        const known = store.pools.get(pool.id);
        seen.add(pool.id);
        store.pools.set(pool.id, known ? Object.assign(known, pool) : {...pool, series: new Series(), fresh: true});
    }
    for (const id of store.pools.keys()) if (!seen.has(id)) store.pools.delete(id);
    store.worlds = new Map(answer.worlds.map((world) => [world.id, world]));
    store.tick = Math.max(store.tick, answer.tick);
    changed();
}

export function takeStages(answer) {
    store.stages = new Map(answer.stages.map((stage) => [stage.id, {...stage, seen: store.stages.get(stage.id)?.seen ?? []}]));
    changed();
}

export function takeStores(answer) {
    store.stores = new Map(answer.stores.map((one) => [one.id, {...one, durable_tick: one.durable.tick, confirmed_tick: one.confirmed.tick}]));
    changed();
}

/// False for a store that is not known, or says now that something else is wrong.
function takeStoreSample([id, state, pending, durable_tick, confirmed_tick, entities, loading, bytes_held, saves, failed, loads, loads_refused, retries]) {
    const one = store.stores.get(id);
    if (!one) return false;
    const same = one.state === state;
    Object.assign(one, {state, pending, durable_tick, confirmed_tick, entities, loading, bytes_held, saves, failed, loads, loads_refused, retries});
    if (state === 'ready') one.why = null;
    return same;
}

/// False for a stage that is not known.
function takeStageSample([id, now, entities, births, commits, entries, used, open, dropped, refused, cuts, resets, commits_refused], ms) {
    const stage = store.stages.get(id);
    if (!stage) return false;
    // A rewind takes commits back: what it undid is none of this second.
    if (stage.seen.length > 0 && commits < stage.seen.at(-1)[1]) stage.seen = [];
    stage.seen = [...stage.seen.filter(([at]) => at >= ms - 1100), [ms, commits]];
    Object.assign(stage, {now, entities, births, commits_refused});
    Object.assign(stage.journal, {commits, entries, used, open, dropped, refused, cuts, resets});
    return true;
}

export function commitsASecond(stage) {
    const [first, last] = [stage.seen[0], stage.seen.at(-1)];
    return first && last[0] > first[0] ? ((last[1] - first[1]) * 1000) / (last[0] - first[0]) : 0;
}

/// Returns whether it speaks of the pools, stages and stores that are known; if not, the lists must be asked for again.
export function takeSample(sample) {
    const now = sample.ms;
    let known = sample.pools.length === [...store.pools.values()].filter((pool) => !pool.gone).length;
    for (const [id, live, peak, capacity, bytes, acquired, refused, replaced, grown, idle, retired, released, waiting_ends] of sample.pools) {
        const pool = store.pools.get(id);
        if (!pool) {
            known = false;
            continue;
        }
        // Not what the list of pools says: that may be newer than the last sample.
        const before = pool.sampled;
        if (before) {
            pool.series.push(now, live, {acquired: acquired - before.acquired, refused: refused - before.refused,
                                         replaced: replaced - before.replaced}, store.now);
        }
        pool.sampled = {acquired, refused, replaced};
        pool.fresh = false;
        Object.assign(pool, {live, peak, capacity, bytes, acquired, refused, replaced, grown, idle, retired, released, waiting_ends});
    }
    for (const [id, at] of sample.worlds ?? []) {
        const world = store.worlds.get(id);
        if (world) world.now = at;
    }
    const stages = sample.stages ?? [];
    for (const stage of stages) known = takeStageSample(stage, now) && known;
    known = known && stages.length === store.stages.size;
    const stores = sample.stores ?? [];
    for (const one of stores) known = takeStoreSample(one) && known;
    known = known && stores.length === store.stores.size;
    store.tick = sample.tick;
    store.now = now;
    store.heard = Date.now();
    changed();
    return known;
}

function countMisuse() {
    store.misuse = {all: 0, of: new Map()};
    for (const {kind, pool, count} of store.events) {
        if (kind !== 'misuse') continue;
        store.misuse.all += count;
        store.misuse.of.set(pool, (store.misuse.of.get(pool) ?? 0) + count);
    }
}

export function takeEvents(answer) {
    const last = store.events.length ? store.events[store.events.length - 1].number : -1;
    const fresh = answer.events.filter((event) => event.number > last);
    // One that goes on comes again, with all that it counts so far.
    const again = new Set(fresh.map((event) => event.first));
    store.events = [...store.events.filter((event) => !again.has(event.first)), ...fresh];
    // The oldest go, and misuse last: it must not be lost among drops.
    if (store.events.length > mostEvents) {
        const at = store.events.findIndex((event) => event.kind !== 'misuse');
        store.events.splice(Math.max(0, at), store.events.length - mostEvents);
    }
    if (fresh.some((event) => event.kind === 'misuse')) countMisuse();
    store.eventsNext = answer.next;
    store.eventsDropped += answer.dropped ?? 0;
    changed();
}

export function poolName(id) {
    return id === null || id === undefined ? '' : store.pools.get(id)?.name ?? `pool ${id}`;
}
