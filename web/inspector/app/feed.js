// The connection to the program: hello, the list of pools, then the stream of samples; again and again when it is lost.
import {Refusal, get, hasToken, stream} from './api.js';
import {changed, reset, store, takeEvents, takePools, takeSample, takeStages, takeStores} from './store.js';

const firstWait = 400;       // ms before the first attempt to connect again; doubles each time
const longestWait = 5000;    // ms
const quietAfter = 2500;     // ms without a sample: the program stands still, in a debugger for example
const hiddenFor = 20000;     // ms that a tab in the background keeps its stream; browsers allow six connections a host
const listEvery = 2000;      // ms between two readings of the counters that samples do not carry
const mostHistories = 200;   // pools whose last minute is asked for at once

let source = null;
let timer = 0;
let attempt = 0;
let generation = 0;  // what an older connection still awaits is dropped
let listAt = 0;
let busyList = false;
let busyEvents = false;

function setLink(state, reason = '', since = Date.now()) {
    if (store.link.state === state && store.link.reason === reason) return;
    store.link = {state, reason, since};
    changed();
}

export function startFeed() {
    connect();
    setInterval(watch, 500);
    let hiding = 0;
    document.addEventListener('visibilitychange', () => {
        clearTimeout(hiding);
        if (document.hidden) hiding = setTimeout(close, hiddenFor);
        else if (!source) connectNow();
    });
    window.addEventListener('online', () => source || connectNow());
}

/// Also for a token that was given late.
export function connectNow() {
    clearTimeout(timer);
    attempt = 0;
    close();
    connect();
}

function close() {
    ++generation;
    source?.close();
    source = null;
}

function lost(reason) {
    close();
    // "Since when" is when it was lost, not when it was last looked for.
    if (store.link.state !== 'gone') setLink('gone', reason);
    const wait = Math.min(longestWait, firstWait * 2 ** attempt++);
    store.link.next = Date.now() + wait;
    clearTimeout(timer);
    timer = setTimeout(connect, wait);
    changed();
}

async function connect() {
    const mine = ++generation;
    try {
        const hello = await get('hello');
        if (mine !== generation) return;
        if (hello.protocol !== 1) return lost(`it speaks protocol ${hello.protocol}, and this page only 1`);
        if (store.hello && store.hello.started_ms !== hello.started_ms) reset();  // another run: nothing of it continues
        store.hello = hello;
        takePools(await get('pools'));
        takeStages(await get('stages'));
        takeStores(await get('stores'));
        if (mine !== generation) return;
        open(mine);
        await readEvents(mine);
        await fillHistories(mine);
    } catch (error) {
        if (mine !== generation || source) return;
        lost(error instanceof Refusal ? error.message : 'it does not answer');
    }
}

function open(mine) {
    source = stream('stream', hasToken());
    source.addEventListener('sample', (event) => {
        if (mine !== generation) return;
        attempt = 0;
        setLink('live');
        const sample = JSON.parse(event.data);
        if (!takeSample(sample) || Date.now() - listAt > listEvery) readList(mine);
        if (sample.events_next !== store.eventsNext) readEvents(mine);
    });
    source.addEventListener('bye', (event) => {
        if (mine === generation) lost(JSON.parse(event.data).reason);
    });
    source.addEventListener('error', () => {
        if (mine === generation) lost('the connection was lost');
    });
}

function watch() {
    if (store.link.state === 'live' && Date.now() - store.heard > quietAfter) {
        setLink('quiet', 'no sample', store.heard);
    }
    if (store.link.state !== 'live') changed();  // "for 12 s" goes on
}

async function readList(mine) {
    if (busyList) return;
    busyList = true;
    listAt = Date.now();
    try {
        const answer = await get('pools');
        if (mine !== generation) return;
        takePools(answer);
        const stages = await get('stages');
        if (mine !== generation) return;
        takeStages(stages);
        const stores = await get('stores');
        if (mine !== generation) return;
        takeStores(stores);
        if ([...store.pools.values()].some((pool) => pool.fresh)) await fillHistories(mine);
    } catch {
        // the stream says when the program has gone
    } finally {
        busyList = false;
    }
}

async function readEvents(mine) {
    if (busyEvents) return;
    busyEvents = true;
    try {
        const answer = await get(`events?after=${store.eventsNext}`);
        if (mine === generation) takeEvents(answer);
    } catch {
        // as above
    } finally {
        busyEvents = false;
    }
}

/// One after the other: a program in debug mode should not be asked for everything at once.
async function fillHistories(mine) {
    for (const pool of [...store.pools.values()].slice(0, mostHistories)) {
        const answer = await get(`pools/${pool.id}`);
        if (mine !== generation) return;
        if (answer.history?.live?.length) pool.series.fill(answer.history);
        changed();
    }
}
