// One world: what each of its classes does.
import {h, setFlag, setText, setValue} from './dom.js';
import {short, whole} from './format.js';
import {store} from './store.js';

const columns = [
    ['active', 'Active', 'Objects in the world'],
    ['idle', 'Idle', 'Constructed objects that wait in the pool'],
    ['waiting_ends', 'Unconfirmed', 'Objects whose end waits to be confirmed'],
    ['timers', 'Timers', 'Objects that end by themselves'],
    ['listeners', 'Listeners', 'Who is told when an object ends'],
    ['to_prewarm', 'To prewarm', 'Objects still to be constructed ahead'],
    ['spawned', 'Spawned', 'Since the world began'],
    ['returned', 'Returned', 'Ended by the program'],
    ['expired', 'Expired', 'Ended by their timers'],
    ['destroyed', 'Destroyed', 'Ended for good: their objects were not kept'],
    ['replaced', 'Replaced', 'Ended for newer ones: evictions'],
    ['refused', 'Refused', 'Requests that were refused: drops'],
    ['stale_ends', 'Stale ends', 'Ends of what had ended before'],
];

export function worldPage(id) {
    const name = h('h1', {});
    const role = h('span', {class: 'shape'});
    const now = h('span', {class: 'place'});
    const body = h('tbody', {role: 'rowgroup'});
    const heading = (title, hint, number) => h('th', {role: 'columnheader', scope: 'col', class: number ? 'number' : '', title: hint}, title);
    const element = h('div', {class: 'page'},
        h('div', {class: 'page-head'}, h('a', {class: 'back', href: '#/', 'aria-label': 'Back to the overview'}, '‹ Pools'), name, role, now),
        h('section', {class: 'panel table-panel scroll', tabindex: '0', 'aria-label': 'Classes'},
          h('table', {class: 'classes', role: 'table', 'aria-label': 'Classes'},
            h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, heading('Class', 'Name and type'), heading('State', 'Whether this role builds it, and how its time goes'),
              columns.map(([, title, hint]) => heading(title, hint, true)))), body)));
    const rows = new Map();

    function rowOf(type) {
        let row = rows.get(type.pool);
        if (!row) {
            row = {link: h('a', {class: 'pool-link', href: `#/pool/${type.pool}`}), type: h('span', {class: 'shape'}), state: h('span', {class: 'state'}), cells: {}};
            row.element = h('tr', {role: 'row', class: 'class-row', 'data-class': type.name},
                h('td', {role: 'cell', class: 'c-name'}, h('div', {class: 'name-line'}, row.link), row.type), h('td', {role: 'cell', class: 'c-state'}, row.state),
                columns.map(([key, title]) => {
                    row.cells[key] = h('span', {'data-cell': key});
                    return h('td', {role: 'cell', class: `number c-${key}`, 'data-title': title.toLowerCase()}, row.cells[key]);
                }));
            rows.set(type.pool, row);
            body.append(row.element);
        }
        return row;
    }

    function update() {
        const world = store.worlds.get(id);
        if (!world) {
            setText(name, store.hello ? `There is no world ${id}` : '');
            return;
        }
        setText(name, world.name);
        setText(role, world.role);
        setText(now, `now ${whole(world.now)}`);
        for (const type of world.classes) {
            const row = rowOf(type);
            const pool = store.pools.get(type.pool);
            setText(row.link, type.name);
            setText(row.type, type.type === type.name ? pool?.shape ?? type.type : type.type);
            const [up, down] = type.scale ?? [1, 1];
            const speed = up === down ? '' : ` × ${up}/${down}`;
            setText(row.state, !type.built ? `not built as ${world.role}` : type.paused ? 'paused' : `runs${speed}`);
            row.state.dataset.state = !type.built ? 'absent' : type.paused ? 'paused' : 'runs';
            for (const [key] of columns) {
                const value = (key === 'idle' || key === 'waiting_ends' ? pool?.[key] : key === 'active' ? pool?.live ?? type.active : type[key]) ?? 0;
                setValue(row.cells[key], value, short(value), whole(value));
                setFlag(row.cells[key], 'data-zero', value === 0);
            }
        }
    }

    update();
    return {element, get title() { return store.worlds.get(id)?.name ?? 'World'; }, update, close() {}, keys: {}};
}
