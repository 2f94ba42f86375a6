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

/// place: where the pool is named: 'column', 'inline' or 'none'.
export function eventRow(event, place = 'column') {
    const known = event.pool !== null && event.pool !== undefined;
    const where = place === 'none' ? null
        : known ? h('a', {class: 'event-pool', href: `#/pool/${event.pool}`}, poolName(event.pool))
        : place === 'column' ? h('span', {class: 'event-pool'}) : null;
    return h('li', {class: 'event', 'data-kind': event.kind, 'data-pool': event.pool ?? '', 'data-number': event.number},
        h('span', {class: 'event-tick', title: event.since < event.tick ? `tick of the latest; the first was at ${whole(event.since)}` : 'tick'},
          whole(event.tick)),
        h('span', {class: 'badge', 'data-kind': event.kind}, kinds[event.kind] ?? event.kind),
        place === 'column' ? where : null,
        h('span', {class: 'event-text'}, place === 'inline' ? where : null, place === 'inline' && where ? ' ' : null, event.text,
          event.kind === 'misuse' && event.count > 1 && !event.text.includes(' times)') ? h('span', {class: 'event-count'}, ` × ${whole(event.count)}`) : null));
}
