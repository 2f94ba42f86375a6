// One event as a line: when, where, what kind, and its text.
import {h} from './dom.js';
import {whole} from './format.js';
import {poolName} from './store.js';

export const kinds = {
    refused: 'drop',
    grown: 'growth',
    replaced: 'eviction',
    merged: 'merge',
    retired: 'retired',
    misuse: 'misuse',
};

export function eventRow(event, withPool = true) {
    const where = !withPool || event.pool === null || event.pool === undefined
        ? null
        : h('a', {class: 'event-pool', href: `#/pool/${event.pool}`}, poolName(event.pool));
    return h('li', {class: 'event', 'data-kind': event.kind, 'data-pool': event.pool ?? '', 'data-number': event.number},
        h('span', {class: 'event-tick', title: 'tick'}, whole(event.tick)),
        h('span', {class: 'badge', 'data-kind': event.kind}, kinds[event.kind] ?? event.kind),
        h('span', {class: 'event-text'}, where, where ? ' ' : null, event.text));
}
