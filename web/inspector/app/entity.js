// One entity: what it is now, what its last commits changed, and what the journal says of this life.
import {Refusal, get} from './api.js';
import {h, setFlag, setText, setValue} from './dom.js';
import {plural, whole} from './format.js';
import {JournalTail, changeOf, entityHash} from './journal_tail.js';
import {changed, store} from './store.js';

const readEvery = 500;  // ms
const freshFor = 1500;  // ms that a value stays marked after it changed

/// A link that names an entity leads there.
function valueOf(stage, text) {
    if (text.startsWith('{"id":')) {
        try {
            const {id} = JSON.parse(text);
            return h('a', {href: entityHash(stage, id)}, id);
        } catch {
            // cut off, or another thing that begins so
        }
    }
    return text;
}

export function entityPage(stageId, id) {
    let entity = null;
    let refusal = '';
    let opened = null;  // the generation that was there first
    let tail = null;
    let readAt = 0;
    let busy = false;
    let closed = false;
    let shownHistory = '';

    const name = h('h1', {class: 'entity-name'}, id);
    const type = h('span', {class: 'shape'});
    const place = h('span', {class: 'place'});
    const back = h('a', {class: 'back', href: `#/stage/${stageId}`, 'aria-label': 'Back to the stage'}, '‹ Entities');
    const values = {};
    const tiles = [['generation', 'Generation', 'Which life of this id'], ['version', 'Version', 'Commits of this life'],
                   ['owner', 'Owner', 'The player whose it is'], ['lock', 'Lock', 'Who has locked it, and until which tick'],
                   ['persistent', 'Persistent', 'Whether it is kept in a store'], ['loading', 'State', 'Whether its data is still to come']]
        .map(([key, title, hint]) => {
            values[key] = h('b', {'data-about': key});
            return h('div', {class: 'tile', title: hint}, h('span', {class: 'tile-title'}, title), values[key]);
        });
    const fields = h('tbody', {role: 'rowgroup'});
    const heading = (title) => h('th', {role: 'columnheader', scope: 'col'}, title);
    const history = h('ol', {class: 'journal history', reversed: true});
    const historyNote = h('span', {class: 'more'});
    const journal = h('div', {});
    const element = h('div', {class: 'page'},
        h('div', {class: 'page-head'}, back, name, type, place),
        h('section', {class: 'tiles panel', 'aria-label': 'About'}, tiles),
        h('div', {class: 'entity-main'},
          h('section', {class: 'panel table-panel', 'aria-label': 'Fields'},
            h('div', {class: 'table-tools'}, h('h2', {class: 'tools-title'}, 'Fields')),
            h('table', {class: 'fields', role: 'table', 'aria-label': 'Fields'},
              h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, heading('Field'), heading('Value'), heading('Type'))), fields)),
          h('div', {class: 'pool-side'},
            h('section', {class: 'panel', id: 'history', 'aria-label': 'History'}, h('h2', {}, 'History', historyNote), history),
            journal)));

    async function read() {
        if (busy || closed || performance.now() - readAt < readEvery || store.link.state === 'gone') return;
        busy = true;
        readAt = performance.now();
        try {
            entity = await get(`stages/${stageId}/entity?id=${encodeURIComponent(id)}`);
            refusal = '';
            opened ??= entity.generation;
            changed();
        } catch (error) {
            if (error instanceof Refusal && error.status === 404) refusal = error.message;
            changed();
        } finally {
            busy = false;
        }
    }

    const rows = new Map();
    function showFields() {
        for (const field of entity.fields) {
            let row = rows.get(field.name);
            if (!row) {
                row = {value: h('code', {class: 'field-value', 'data-field': field.name}), is: h('span', {class: 'field-is'})};
                row.element = h('tr', {role: 'row'}, h('td', {role: 'cell', class: 'field-name'}, field.name), h('td', {role: 'cell'}, row.value),
                    h('td', {role: 'cell'}, row.is));
                rows.set(field.name, row);
                fields.append(row.element);
                const not = [field.sent ? '' : 'not sent', field.saved ? '' : 'not saved'].filter(Boolean).join(', ');
                setText(row.is, field.is.replace(`${field.name} `, '') + (not ? ` (${not})` : ''));
            }
            if (row.text !== field.value) {
                if (row.text !== undefined) row.changedAt = performance.now();
                row.text = field.value;
                row.value.replaceChildren(valueOf(stageId, field.value));
            }
            setFlag(row.element, 'data-fresh', row.changedAt !== undefined && performance.now() - row.changedAt < freshFor);
        }
    }

    function showHistory() {
        const state = JSON.stringify(entity.history);
        if (state === shownHistory) return;
        shownHistory = state;
        const depth = store.stages.get(stageId)?.classes.find((one) => one.number === entity.class)?.history ?? 0;
        setText(historyNote, depth === 0 ? '' : `${plural(entity.history_kept, 'commit')} of the last ${whole(depth)}`);
        const rows = entity.history.map((commit) => h('li', {class: 'entry', 'data-version': commit.version},
            h('span', {class: 'entry-number', title: 'version that it made'}, `v ${whole(commit.version)}`),
            h('span', {class: 'entry-tick'}, `tick ${whole(commit.tick)}`),
            h('span', {class: 'entry-what'}, commit.changes.map(changeOf))));
        if (rows.length === 0) rows.push(h('li', {class: 'empty'}, depth === 0 ? 'This class keeps no history.' : 'No commit so far.'));
        history.replaceChildren(...rows);
    }

    function update() {
        read();
        tail?.update();
        setFlag(element, 'data-missing', !entity);
        setFlag(element, 'data-ended', refusal !== '');
        const ended = refusal !== '' && entity ? `It has ended; this is how it was last seen.` : refusal;
        const another = entity && opened !== entity.generation ? `Another life than the one that was opened: generation ${whole(entity.generation)}, it was ${whole(opened)}.` : '';
        setText(place, ended || another || (entity ? `in ${store.stages.get(stageId)?.name ?? 'its stage'}, tick ${whole(entity.now)}` : ''));
        if (!entity) return;
        if (!tail || tail.generation !== entity.generation) {
            tail?.close();
            tail = new JournalTail(stageId, entity.generation);
            journal.replaceChildren(tail.element);
            rows.clear();
            fields.replaceChildren();
        }
        setText(type, entity.class_name);
        for (const key of ['generation', 'version']) setValue(values[key], entity[key], whole(entity[key]));
        setText(values.owner, entity.owner ?? 'nobody');
        setText(values.lock, entity.lock ? `${entity.lock.by}, until ${whole(entity.lock.until)}` : 'none');
        values.lock.parentElement.dataset.level = entity.lock ? 'warn' : '';
        setText(values.persistent, entity.persistent ? 'yes' : 'no');
        setText(values.loading, refusal ? 'ended' : entity.loading ? 'loading' : 'lives');
        showFields();
        showHistory();
    }

    update();
    return {
        element,
        title: id,
        update,
        close() {
            closed = true;
            tail?.close();
        },
        keys: {Escape: () => { location.hash = `#/stage/${stageId}`; }},
    };
}
