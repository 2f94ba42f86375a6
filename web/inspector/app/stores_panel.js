// The stores of the program, on the overview: a line each.
import {h, setFlag, setText, setValue} from './dom.js';
import {bytes, plural, short, whole} from './format.js';
import {store as known} from './store.js';

// Of what there should be none, the level it is shown with.
const columns = [
    ['entities', 'Entities', 'Persistent ones'],
    ['pending', 'Pending', 'Entities with changes that are not durable'],
    ['durable_tick', 'Durable tick', 'The last tick that the database has'],
    ['failed', 'Failed', 'Saves that did not become durable', 'bad'],
    ['retries', 'Retries', 'Times that the database said not now', 'warn'],
    ['loads', 'Loads', 'Rows that became entities'],
    ['loads_refused', 'Not loaded', 'Rows that did not become entities', 'bad'],
    ['bytes_held', 'Bytes', 'Memory for copies of entities'],
];

const states = {ready: 'runs', retrying: 'paused', stopped: 'stopped'};

function show(cell, store, key) {
    const value = store[key];
    if (key === 'bytes_held') setValue(cell, value, bytes(value), `${whole(value)} bytes`);
    else if (key === 'durable_tick') setValue(cell, value, whole(value));
    else setValue(cell, value, short(value), whole(value));
}

export function storesPanel() {
    const body = h('tbody', {role: 'rowgroup'});
    const heading = (title, hint, number) => h('th', {role: 'columnheader', scope: 'col', class: number ? 'number' : '', title: hint}, title);
    const element = h('section', {class: 'panel table-panel scroll', id: 'stores', 'aria-label': 'Stores', hidden: true},
        h('table', {class: 'classes stages', role: 'table', 'aria-label': 'Stores'},
          h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, heading('Store', 'Name and database'), columns.map(([, title, hint]) => heading(title, hint, true)),
            heading('State', 'Whether it saves, and what is wrong if not'))), body));
    const rows = new Map();

    function rowOf(store) {
        let row = rows.get(store.id);
        if (row) return row;
        row = {name: h('span', {class: 'store-name'}), database: h('span', {class: 'shape'}), state: h('span', {class: 'state'}),
               why: h('span', {class: 'store-why'}), cells: {}};
        row.element = h('tr', {role: 'row', class: 'class-row', 'data-store': store.id},
            h('td', {role: 'cell', class: 'c-name'}, h('div', {class: 'name-line'}, row.name), row.database),
            columns.map(([key, title]) => {
                row.cells[key] = h('span', {'data-cell': key});
                return h('td', {role: 'cell', class: `number c-store-${key}`, 'data-title': title.toLowerCase()}, row.cells[key]);
            }),
            h('td', {role: 'cell', class: 'c-state'}, row.state, row.why));
        rows.set(store.id, row);
        body.append(row.element);
        return row;
    }

    function update() {
        element.hidden = known.stores.size === 0;
        for (const store of known.stores.values()) {
            const row = rowOf(store);
            setText(row.name, store.name);
            setText(row.database, store.database);
            for (const [key, , , level] of columns) {
                show(row.cells[key], store, key);
                setFlag(row.cells[key], 'data-zero', store[key] === 0);
                if (level) row.cells[key].dataset.level = store[key] === 0 ? '' : level;
            }
            const behind = Math.max(0, store.confirmed_tick - store.durable_tick);
            row.cells.durable_tick.parentElement.title = store.pending === 0 ? 'All is durable' : `${plural(behind, 'tick')} behind what is confirmed`;
            setText(row.state, store.state);
            row.state.dataset.state = states[store.state] ?? 'paused';
            setText(row.why, store.why ?? '');
        }
        for (const [id, row] of rows) {
            if (known.stores.has(id)) continue;
            row.element.remove();
            rows.delete(id);
        }
    }

    return {element, update};
}
