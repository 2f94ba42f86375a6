// The stages of the program, on the overview: a line each.
import {h, setFlag, setText} from './dom.js';
import {whole} from './format.js';
import {figureOf, showFigure} from './stage.js';
import {store} from './store.js';

const columns = [
    ['entities', 'Entities', 'That live now'],
    ['rate', 'Commits/s', 'Over the last second'],
    ['commits_refused', 'Refused', 'Commits that were refused: conflicts, locks, rules'],
    ['used', 'Journal', 'How much of its memory has entries'],
    ['open', 'Not confirmed', 'Memory of entries that a rewind can take back'],
    ['dropped', 'Dropped', 'Entries that went to make room'],
    ['cuts', 'Cuts', 'Rewinds that took entries back'],
];

export function stagesPanel() {
    const body = h('tbody', {role: 'rowgroup'});
    const heading = (title, hint, number) => h('th', {role: 'columnheader', scope: 'col', class: number ? 'number' : '', title: hint}, title);
    const element = h('section', {class: 'panel table-panel scroll', id: 'stages', 'aria-label': 'Stages', hidden: true},
        h('table', {class: 'classes stages', role: 'table', 'aria-label': 'Stages'},
          h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, heading('Stage', 'Name and role'), columns.map(([, title, hint]) => heading(title, hint, true)),
            heading('Readers', 'Who reads the journal, and whether they keep up'))), body));
    const rows = new Map();

    function rowOf(stage) {
        let row = rows.get(stage.id);
        if (row) return row;
        row = {link: h('a', {class: 'stage-link', href: `#/stage/${stage.id}`}), role: h('span', {class: 'shape'}), readers: h('span', {class: 'state'}), cells: {}};
        row.element = h('tr', {role: 'row', class: 'class-row', 'data-stage': stage.id},
            h('td', {role: 'cell', class: 'c-name'}, h('div', {class: 'name-line'}, row.link), row.role),
            columns.map(([key, title]) => {
                row.cells[key] = h('span', {'data-cell': key});
                return h('td', {role: 'cell', class: `number c-${key}`, 'data-title': title.toLowerCase()}, row.cells[key]);
            }),
            h('td', {role: 'cell', class: 'c-state'}, row.readers));
        rows.set(stage.id, row);
        body.append(row.element);
        return row;
    }

    function update() {
        element.hidden = store.stages.size === 0;
        for (const stage of store.stages.values()) {
            const row = rowOf(stage);
            setText(row.link, stage.name);
            setText(row.role, `${stage.role}, now ${whole(stage.now)}`);
            for (const [key] of columns) {
                showFigure(row.cells[key], stage, key);
                setFlag(row.cells[key], 'data-zero', figureOf(stage, key) === 0);
            }
            const behind = stage.readers.filter((one) => one.state !== 'ready').length;
            setText(row.readers, behind > 0 ? `${behind} of ${stage.readers.length} behind` : `${stage.readers.length} in order`);
            row.readers.dataset.state = behind > 0 ? 'paused' : 'runs';
        }
        for (const [id, row] of rows) {
            if (store.stages.has(id)) continue;
            row.element.remove();
            rows.delete(id);
        }
    }

    return {element, update};
}
