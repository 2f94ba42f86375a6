// A page of a stage's entities: searched by the program in slices, so a large stage answers in several parts.
import {get} from './api.js';
import {h, setFlag, setText} from './dom.js';
import {plural, whole} from './format.js';
import {entityHash} from './journal_tail.js';
import {changed, store} from './store.js';

const pageSize = 20;
const refreshEvery = 1000;  // ms; a look that took long is repeated less often
const restShare = 10;       // times as long as the look took

export class EntityList {
    constructor(stage, kept) {
        this.stage = stage;
        this.kept = kept;   // {text, type, only}: stays when the page is left
        this.pages = [''];  // where each page begins, up to the one that is open
        this.next = null;
        this.rows = [];
        this.mine = 0;      // what an older look still awaits is dropped
        this.busy = false;
        this.readAt = 0;
        this.took = 0;
        this.looked = 0;
        this.whole = false;  // all that was wanted is there
        this.closed = false;

        this.search = h('input', {type: 'search', class: 'filter', placeholder: 'Search ids  /', 'aria-label': 'Search entities by a part of their id',
                                  autocomplete: 'off', spellcheck: 'false', maxlength: '63', oninput: () => this.ask({text: this.search.value})});
        this.search.value = kept.text;
        this.types = h('select', {'aria-label': 'Class', onchange: () => this.ask({type: this.types.value})});
        this.only = h('select', {'aria-label': 'Which', onchange: () => this.ask({only: this.only.value})},
            h('option', {value: 'all'}, 'all'), h('option', {value: 'locked'}, 'locked'), h('option', {value: 'persistent'}, 'persistent'),
            h('option', {value: 'loading'}, 'loading'));
        this.only.value = kept.only;
        this.note = h('span', {class: 'note', role: 'status', id: 'list-note'});
        this.back = h('button', {type: 'button', class: 'small-button', 'aria-label': 'Page before (p)', title: 'page before (p)', onclick: () => this.turn(-1)}, '‹');
        this.on = h('button', {type: 'button', class: 'small-button', 'aria-label': 'Next page (n)', title: 'next page (n)', onclick: () => this.turn(1)}, '›');
        this.body = h('tbody', {role: 'rowgroup'});
        this.empty = h('p', {class: 'empty', hidden: true});
        const heading = (title, hint, number) => h('th', {role: 'columnheader', scope: 'col', class: number ? 'number' : '', title: hint}, title);
        this.element = h('section', {class: 'panel table-panel', id: 'entities', 'aria-label': 'Entities'},
            h('div', {class: 'table-tools'}, h('h2', {class: 'tools-title'}, 'Entities'), this.search, this.types, this.only),
            h('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'List of entities'},
              h('table', {class: 'classes entities', role: 'table', 'aria-label': 'Entities'},
                h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, heading('Id', 'Who has that name now'), heading('Class', 'Class'),
                  heading('State', 'Locked, persistent, loading'), heading('Generation', 'Which life', true), heading('Version', 'Commits of this life', true),
                  heading('Owner', 'Player', true))), this.body)),
            this.empty,
            h('div', {class: 'list-foot'}, this.note, h('span', {class: 'joined'}, this.back, this.on)));
    }

    ask(more) {
        Object.assign(this.kept, more);
        this.pages = [''];
        this.again();
    }

    again() {
        ++this.mine;
        this.busy = false;
        this.whole = false;
        this.readAt = 0;
        this.read();
    }

    turn(by) {
        if (by > 0 && this.next !== null && this.whole) this.pages.push(this.next);
        else if (by < 0 && this.pages.length > 1) this.pages.pop();
        else return;
        this.again();
    }

    /// Asks on until the page is full, or all have been looked at.
    async read() {
        if (this.busy || this.closed || store.link.state === 'gone') return;
        const rest = Math.max(refreshEvery, restShare * this.took);
        if (this.whole && performance.now() - this.readAt < rest) return;
        const mine = this.mine;
        const began = performance.now();
        this.busy = true;
        try {
            const found = [];
            let from = this.pages.at(-1);
            let looked = 0;
            do {
                const ask = new URLSearchParams({most: pageSize - found.length});
                if (from) ask.set('from', from);
                if (this.kept.text) ask.set('text', this.kept.text);
                if (this.kept.type !== '') ask.set('class', this.kept.type);
                if (this.kept.only !== 'all') ask.set('only', this.kept.only);
                // A "+" would be one: the program knows of no spaces but %20.
                const answer = await get(`stages/${this.stage}/entities?${ask.toString().replaceAll('+', '%20')}`);
                if (mine !== this.mine || this.closed) return;
                found.push(...answer.entities);
                looked += answer.looked;
                from = answer.next;
                if (!this.whole) this.show(found, looked, from);
            } while (from !== null && found.length < pageSize);
            this.whole = true;
            this.took = performance.now() - began;
            this.show(found, looked, from);
        } catch {
            // as in the journal
        } finally {
            if (mine === this.mine) {
                this.busy = false;
                this.readAt = performance.now();
            }
        }
    }

    show(found, looked, next) {
        this.found = found;
        this.looked = looked;
        this.next = next;
        changed();
    }

    row(i) {
        if (this.rows[i]) return this.rows[i];
        const cell = (key, title, number = true) => {
            const value = h('span', {'data-cell': key});
            return [value, h('td', {role: 'cell', class: number ? `number c-${key}` : `c-${key}`, 'data-title': title}, value)];
        };
        const row = {link: h('a', {class: 'pool-link'}), state: h('span', {class: 'badges'})};
        const cells = [];
        for (const [key, title] of [['generation', 'generation'], ['version', 'version'], ['owner', 'owner']]) {
            const [value, element] = cell(key, title);
            row[key] = value;
            cells.push(element);
        }
        row.type = h('span', {class: 'shape'});
        row.element = h('tr', {role: 'row', class: 'class-row entity-row'}, h('td', {role: 'cell', class: 'c-name'}, row.link),
            h('td', {role: 'cell', class: 'c-type'}, row.type), h('td', {role: 'cell', class: 'c-state'}, row.state), cells);
        row.element.addEventListener('click', (event) => {
            if (!event.target.closest('a') && !window.getSelection().toString()) location.hash = row.link.getAttribute('href');
        });
        this.rows[i] = row;
        this.body.append(row.element);
        return row;
    }

    fill(row, entity, names) {
        row.element.hidden = false;
        row.element.dataset.entity = entity.id;
        setText(row.link, entity.id);
        const hash = entityHash(this.stage, entity.id);
        if (row.link.getAttribute('href') !== hash) row.link.setAttribute('href', hash);
        setText(row.type, names.get(entity.class) ?? `class ${entity.class}`);
        for (const key of ['generation', 'version']) {
            setText(row[key], whole(entity[key]));
            row[key].dataset.value = entity[key];
        }
        setText(row.owner, entity.owner ?? '–');
        setFlag(row.owner, 'data-zero', entity.owner === null);
        const state = [entity.lock ? ['lock', `locked by ${entity.lock.by}`] : null, entity.persistent ? ['persistent', 'persistent'] : null,
                       entity.loading ? ['loading', 'loading'] : null].filter(Boolean);
        const key = state.join();
        if (row.key === key) return;
        row.key = key;
        row.state.replaceChildren(...state.map(([kind, text]) => h('span', {class: 'badge', 'data-state': kind}, text)));
    }

    update() {
        this.read();
        const stage = store.stages.get(this.stage);
        if (!stage) return;
        const names = new Map(stage.classes.map((one) => [one.number, one.name]));
        const ids = [...names.keys()].join();
        if (this.types.dataset.ids !== ids) {
            this.types.dataset.ids = ids;
            this.types.replaceChildren(h('option', {value: ''}, 'all classes'), ...stage.classes.map((one) => h('option', {value: one.number}, one.name)));
        }
        if (this.types.value !== this.kept.type) this.types.value = this.kept.type;
        if (!this.found) return;
        for (const [i, entity] of this.found.entries()) this.fill(this.row(i), entity, names);
        for (const row of this.rows.slice(this.found.length)) row.element.hidden = true;
        this.element.dataset.whole = this.whole;
        this.empty.hidden = !this.whole || this.found.length > 0;
        const all = this.kept.text === '' && this.kept.type === '' && this.kept.only === 'all';
        setText(this.empty, this.pages.length > 1 ? 'There are no more.' : all ? 'No entity lives in this stage.' : 'No entity fits that.');
        const page = this.pages.length > 1 || this.next !== null ? `page ${this.pages.length}, ` : '';
        setText(this.note, this.whole ? `${page}${plural(this.found.length, 'entity', 'entities')}${this.next !== null ? ', and there are more' : ''}`
            : `looking… ${whole(this.looked)} so far`);
        this.back.disabled = this.pages.length === 1;
        this.on.disabled = this.next === null || !this.whole;
    }

    move(by) {
        const links = this.rows.filter((row) => !row.element.hidden).map((row) => row.link);
        if (links.length === 0) return;
        const here = links.indexOf(document.activeElement);
        const to = here < 0 ? 0 : Math.min(links.length - 1, Math.max(0, here + by));
        links[to].focus();
        links[to].scrollIntoView({block: 'nearest'});
    }

    close() {
        this.closed = true;
        ++this.mine;
    }
}
