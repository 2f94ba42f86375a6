// What went wrong or is worth knowing, newest first, by kind and by pool.
import {h, setText} from './dom.js';
import {eventRow, kinds} from './event_row.js';
import {plural} from './format.js';
import {changed, store} from './store.js';

const mostRows = 300;  // lines on the page; more are counted
const kept = {kinds: new Set(), pool: ''};

export function eventsPage() {
    let drawn = '';
    const chips = Object.entries(kinds).map(([kind, name]) => h('button', {
        type: 'button', class: 'chip', 'data-kind': kind, 'aria-pressed': String(kept.kinds.has(kind)),
        onclick: (click) => {
            if (!kept.kinds.delete(kind)) kept.kinds.add(kind);
            click.currentTarget.setAttribute('aria-pressed', String(kept.kinds.has(kind)));
            changed();
        },
    }, h('span', {class: 'chip-name'}, name), h('span', {class: 'chip-count'})));
    const choice = h('select', {'aria-label': 'Pool', onchange: () => {
        kept.pool = choice.value;
        changed();
    }});
    const list = h('ol', {class: 'event-list', reversed: true});
    const note = h('p', {class: 'note', role: 'status'});
    const element = h('div', {class: 'page'},
        h('section', {class: 'panel'},
          h('div', {class: 'table-tools'}, h('h1', {}, 'Events'),
            h('div', {class: 'chips', role: 'group', 'aria-label': 'Kinds'}, chips), choice),
          list, note));

    function choices() {
        const ids = [...store.pools.keys()].join();
        if (choice.dataset.ids === ids) return;
        choice.dataset.ids = ids;
        choice.replaceChildren(h('option', {value: ''}, 'all pools'),
            ...[...store.pools.values()].map((pool) => h('option', {value: pool.id}, pool.name)));
        choice.value = kept.pool;
    }

    function update() {
        choices();
        const last = store.events.length ? store.events[store.events.length - 1].number : -1;
        const state = `${last} ${store.events.length} ${[...kept.kinds].join()} ${kept.pool} ${store.pools.size}`;
        if (state === drawn) return;
        drawn = state;
        const ofPool = store.events.filter((event) => kept.pool === '' || String(event.pool) === kept.pool);
        for (const chip of chips) {
            setText(chip.lastChild, String(ofPool.filter((event) => event.kind === chip.dataset.kind).length));
        }
        const wanted = ofPool.filter((event) => kept.kinds.size === 0 || kept.kinds.has(event.kind));
        list.replaceChildren(...wanted.slice(-mostRows).reverse().map((event) => eventRow(event)));
        const more = wanted.length > mostRows ? `, the newest ${mostRows} are shown` : '';
        const lost = store.eventsDropped > 0 ? ` ${plural(store.eventsDropped, 'older event')} had left the program's ring before this page read them.` : '';
        setText(note, (wanted.length ? `${plural(wanted.length, 'event')}${more}.` : 'No such event so far.') + lost);
    }

    update();
    return {element, title: 'Events', update, close() {}, keys: {}};
}
