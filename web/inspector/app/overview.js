// Every pool as a row, the classes of a world under it, and what they come to together.
import {sparkline} from './chart.js';
import {h, setFlag, setText, setValue, unwatchCanvas, watchCanvas} from './dom.js';
import {eventRow} from './event_row.js';
import {bytes, percent, plural, rate, short, whole} from './format.js';
import {minute} from './series.js';
import {stagesPanel} from './stages_panel.js';
import {storesPanel} from './stores_panel.js';
import {changed, store} from './store.js';

const recent = 10000;   // ms that a pool stays marked after a refusal or a replacement
const sortEvery = 1500; // ms: a list that is sorted by a rate would never stand still
const latest = 14;      // events beside the table

const columns = [
    {key: 'name', title: 'Pool', hint: 'Name and shape', first: 1, value: (pool) => pool.name.toLowerCase()},
    {key: 'live', title: 'Live / capacity', hint: 'Objects that live now, of the slots there are; the mark is the peak', first: -1,
     value: (pool) => (pool.capacity ? pool.live / pool.capacity : 0)},
    {key: 'minute', title: 'Last minute', hint: 'Live objects over the last minute; red: refused, amber: replaced', first: -1,
     value: (pool) => pool.live},
    {key: 'churn', title: 'Churn/s', hint: 'Objects acquired a second, over the last second', first: -1,
     value: (pool) => pool.series.lastSecond('acquired')},
    {key: 'refused', title: 'Drops', hint: 'Requests that were refused', first: -1, value: (pool) => pool.refused},
    {key: 'replaced', title: 'Evictions', hint: 'Objects that were ended for newer ones', first: -1, value: (pool) => pool.replaced},
    {key: 'grown', title: 'Growth', hint: 'Times that the pool grew', first: -1, value: (pool) => pool.grown},
    {key: 'retired', title: 'Retired', hint: 'Slots whose generations are used up', first: -1, value: (pool) => pool.retired},
    {key: 'bytes', title: 'Bytes', hint: 'Memory that the pool holds', first: -1, value: (pool) => pool.bytes},
];

// Kept while the page is open, so that coming back finds the list as it was left.
const kept = {sort: null, direction: 1, filter: '', selected: null};

export function remember(id) {
    kept.selected = id;
}

class Row {
    constructor(pool, nested) {
        this.id = pool.id;
        this.visible = true;
        this.link = h('a', {class: 'pool-link', href: `#/pool/${pool.id}`});
        this.mark = h('span', {class: 'mark', hidden: true});
        this.misused = h('span', {class: 'misused', hidden: true});
        this.shape = h('span', {class: 'shape'});
        this.bar = h('div', {class: 'bar', role: 'meter', 'aria-valuemin': '0'}, h('i', {class: 'bar-live'}), h('i', {class: 'bar-peak'}));
        this.live = h('span', {class: 'live-count'});
        this.capacity = h('span', {class: 'live-capacity'});
        this.share = h('span', {class: 'live-share'});
        this.canvas = h('canvas', {class: 'spark', 'aria-hidden': 'true'});
        this.cells = {};
        const number = (key, title) => {
            this.cells[key] = h('span', {'data-cell': key});
            return h('td', {class: `number c-${key}`, role: 'cell', 'data-title': title}, this.cells[key]);
        };
        this.element = h('tr', {class: nested ? 'pool-row nested' : 'pool-row', role: 'row', 'data-pool': pool.id},
            h('td', {class: 'c-name', role: 'cell'}, h('div', {class: 'name-line'}, this.link, this.misused),
              h('div', {class: 'name-line'}, this.shape, this.mark)),
            h('td', {class: 'c-live', role: 'cell'},
              h('div', {class: 'live-line'}, h('span', {}, this.live, this.capacity), this.share), this.bar),
            h('td', {class: 'c-minute', role: 'cell'}, this.canvas),
            number('churn', 'churn/s'), number('refused', 'drops'), number('replaced', 'evictions'),
            number('grown', 'growth'), number('retired', 'retired'), number('bytes', 'bytes'));
        this.element.addEventListener('click', (event) => {
            if (!event.target.closest('a') && !window.getSelection().toString()) location.hash = `#/pool/${this.id}`;
        });
        watchCanvas(this.canvas, changed);
    }

    update(pool, now) {
        setText(this.link, pool.world === null ? pool.name : pool.name.slice(pool.name.lastIndexOf('/') + 1));
        setText(this.shape, pool.shape);
        setFlag(this.element, 'data-gone', pool.gone);
        if (!this.visible) return;
        setValue(this.live, pool.live, short(pool.live), whole(pool.live));
        setValue(this.capacity, pool.capacity, ` / ${short(pool.capacity)}`,
                 pool.max_capacity > pool.capacity ? `may grow to ${whole(pool.max_capacity)}` : whole(pool.capacity));
        setText(this.share, percent(pool.live, pool.capacity));
        const of = Math.max(1, pool.capacity);
        this.bar.style.setProperty('--live', Math.min(1, pool.live / of).toFixed(4));
        this.bar.style.setProperty('--peak', Math.min(1, pool.peak / of).toFixed(4));
        // Full is no fault of a pool that gives the place of the oldest away.
        const refuses = pool.capacity >= pool.max_capacity && pool.replaced === 0;
        this.bar.dataset.level = pool.live >= of && refuses ? 'full' : pool.live >= 0.9 * of ? 'high' : 'normal';
        this.bar.dataset.peak = pool.peak;
        this.bar.title = `peak ${whole(pool.peak)}`;
        this.bar.setAttribute('aria-valuenow', pool.live);
        this.bar.setAttribute('aria-valuemax', pool.capacity);
        this.bar.setAttribute('aria-label', `live of ${pool.name}, peak ${pool.peak}`);
        const churn = pool.series.lastSecond('acquired');
        setValue(this.cells.churn, churn.toFixed(1), rate(churn));
        for (const key of ['refused', 'replaced', 'grown', 'retired']) {
            setValue(this.cells[key], pool[key], short(pool[key]), whole(pool[key]));
            setFlag(this.cells[key], 'data-zero', pool[key] === 0);
        }
        setValue(this.cells.bytes, pool.bytes, bytes(pool.bytes), `${whole(pool.bytes)} bytes`);
        const refusals = pool.series.total('refused', now, recent);
        const replacements = pool.series.total('replaced', now, recent);
        const kind = pool.gone ? 'gone' : refusals > 0 ? 'refused' : replacements > 0 ? 'replaced' : '';
        this.mark.hidden = kind === '';
        this.mark.dataset.kind = kind;
        setText(this.mark, {gone: 'gone', refused: 'dropping', replaced: 'evicting'}[kind] ?? '');
        const misused = store.misuse.of.get(pool.id) ?? 0;
        this.misused.hidden = misused === 0;
        if (misused > 0) setText(this.misused, plural(misused, 'misuse'));
        sparkline(this.canvas, pool.series, now, Math.max(pool.peak * 0.25, 1));
    }

    close() {
        unwatchCanvas(this.canvas);
    }
}

export function overview() {
    const rows = new Map();
    const worldRows = new Map();
    let order = '';
    let sortedAt = 0;

    const totals = {};
    const total = (key, title, hint) => {
        totals[key] = {value: h('b', {'data-total': key}), note: h('span', {class: 'total-note'})};
        return h('div', {class: 'total', title: hint}, h('span', {class: 'total-title'}, title), totals[key].value, totals[key].note);
    };
    const strip = h('section', {class: 'totals', 'aria-label': 'Totals'},
        total('pools', 'Pools', 'Pools that are watched'),
        total('live', 'Live', 'Objects that live now, in all pools'),
        total('bytes', 'Memory', 'Bytes that all pools hold'),
        total('churn', 'Churn', 'Objects acquired a second'),
        total('refused', 'Drops', 'Requests that were refused'),
        total('replaced', 'Evictions', 'Objects that were ended for newer ones'),
        total('grown', 'Growth', 'Times that a pool grew'),
        total('retired', 'Retired', 'Slots whose generations are used up'));

    const headers = columns.map((column) => {
        const button = h('button', {type: 'button', class: 'sort', title: column.hint, 'data-sort': column.key,
                                    onclick: () => sortBy(column)}, column.title);
        return h('th', {class: `c-${column.key}${['name', 'live', 'minute'].includes(column.key) ? '' : ' number'}`,
                        role: 'columnheader', scope: 'col', 'aria-sort': 'none'}, button);
    });
    const body = h('tbody', {role: 'rowgroup'});
    const table = h('table', {class: 'pools', role: 'table', 'aria-label': 'Pools'},
        h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, headers)), body);
    const sortChoice = h('select', {'aria-label': 'Sort by', onchange: () => {
        const column = columns.find(({key}) => key === sortChoice.value);
        if (column) sortBy(column, column.first);
        else sortBy(null);
    }}, h('option', {value: ''}, 'program order'), columns.map((column) => h('option', {value: column.key}, column.title)));
    const filter = h('input', {type: 'search', class: 'filter', placeholder: 'Filter pools  /', 'aria-label': 'Filter pools by name or shape',
                               autocomplete: 'off', spellcheck: 'false', oninput: () => {
        kept.filter = filter.value;
        arrange(true);
    }});
    filter.value = kept.filter;
    const empty = h('p', {class: 'empty', hidden: true});
    const events = h('ol', {class: 'event-list compact', reversed: true});
    const side = h('aside', {class: 'panel side', 'aria-label': 'Latest events'},
        h('h2', {}, 'Latest events', h('a', {class: 'more', href: '#/events'}, 'all')), events);
    const stages = stagesPanel();
    const stores = storesPanel();
    const element = h('div', {class: 'page overview'}, strip, stages.element, stores.element,
        h('div', {class: 'overview-main'},
          h('section', {class: 'panel table-panel', 'aria-label': 'Pools'},
            h('div', {class: 'table-tools'}, h('h1', {}, 'Pools'), filter, h('label', {class: 'sort-choice'}, 'Sort ', sortChoice)),
            table, empty),
          side));

    const seen = new IntersectionObserver((entries) => {
        for (const entry of entries) {
            const row = rows.get(Number(entry.target.dataset.pool));
            if (row) row.visible = entry.isIntersecting;
        }
        changed();
    }, {rootMargin: '200px'});

    function sortBy(column, direction) {
        if (!column) kept.sort = null;
        else if (direction) [kept.sort, kept.direction] = [column.key, direction];
        else if (kept.sort !== column.key) [kept.sort, kept.direction] = [column.key, column.first];
        else if (kept.direction === column.first) kept.direction = -column.first;
        else kept.sort = null;
        arrange(true);
    }

    function sorted(pools) {
        const column = columns.find(({key}) => key === kept.sort);
        if (!column) return pools.sort((a, b) => a.id - b.id);
        return pools.map((pool) => ({pool, value: column.value(pool)}))
            .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * kept.direction || a.pool.id - b.pool.id)
            .map(({pool}) => pool);
    }

    /// The order of the rows; again only now and then, and not under somebody's pointer.
    function arrange(forced) {
        const now = performance.now();
        const ids = [...store.pools.keys()].join() + [...store.worlds.keys()].join();
        if (!forced && ids === arrange.ids) {
            if (!kept.sort || now - sortedAt < sortEvery || table.matches(':hover')) return;
        }
        arrange.ids = ids;
        sortedAt = now;
        const word = kept.filter.trim().toLowerCase();
        const wanted = [...store.pools.values()].filter((pool) => `${pool.name} ${pool.shape}`.toLowerCase().includes(word));
        const nodes = [];
        const place = (pool, nested) => {
            let row = rows.get(pool.id);
            if (!row) {
                rows.set(pool.id, row = new Row(pool, nested));
                seen.observe(row.element);
            }
            nodes.push(row.element);
        };
        for (const pool of sorted(wanted.filter(({world}) => world === null || !store.worlds.has(world)))) place(pool, false);
        for (const world of store.worlds.values()) {
            const classes = sorted(wanted.filter((pool) => pool.world === world.id));
            if (classes.length === 0 && word) continue;
            nodes.push(worldRow(world).element);
            for (const pool of classes) place(pool, true);
        }
        const next = nodes.map((node) => node.dataset.pool ?? `w${node.dataset.world}`).join();
        if (next !== order) {
            order = next;
            const focused = document.activeElement;
            body.replaceChildren(...nodes);
            if (body.contains(focused)) focused.focus({preventScroll: true});
        }
        for (const [id, row] of rows) {
            if (store.pools.has(id)) continue;
            seen.unobserve(row.element);
            row.close();
            rows.delete(id);
        }
        for (const [i, column] of columns.entries()) {
            const direction = kept.sort !== column.key ? 'none' : kept.direction > 0 ? 'ascending' : 'descending';
            headers[i].setAttribute('aria-sort', direction);
        }
        sortChoice.value = kept.sort ?? '';
        empty.hidden = nodes.length > 0;
        setText(empty, store.pools.size ? `No pool is named like "${kept.filter}".` : 'The program has registered no pools yet.');
        changed();
    }

    function worldRow(world) {
        let row = worldRows.get(world.id);
        if (!row) {
            row = {note: h('span', {class: 'world-note'})};
            row.link = h('a', {class: 'world-link', href: `#/world/${world.id}`});
            row.element = h('tr', {class: 'world-row', role: 'row', 'data-world': world.id},
                h('td', {role: 'cell', colspan: columns.length}, row.link, row.note));
            worldRows.set(world.id, row);
        }
        return row;
    }

    function update() {
        arrange(false);
        const now = store.now;
        const sums = {pools: store.pools.size, live: 0, capacity: 0, bytes: 0, churn: 0, refused: 0, replaced: 0, grown: 0, retired: 0};
        const lately = {refused: 0, replaced: 0};
        let inWorlds = 0;
        for (const pool of store.pools.values()) {
            for (const key of ['live', 'capacity', 'bytes', 'refused', 'replaced', 'grown', 'retired']) sums[key] += pool[key];
            sums.churn += pool.series.lastSecond('acquired');
            for (const key of ['refused', 'replaced']) lately[key] += pool.series.total(key, now, minute);
            if (pool.world !== null) ++inWorlds;
            rows.get(pool.id)?.update(pool, now);
        }
        for (const key of ['pools', 'live', 'refused', 'replaced', 'grown', 'retired']) {
            setValue(totals[key].value, sums[key], short(sums[key]), whole(sums[key]));
        }
        setValue(totals.bytes.value, sums.bytes, bytes(sums.bytes), `${whole(sums.bytes)} bytes`);
        setValue(totals.churn.value, sums.churn.toFixed(1), rate(sums.churn));
        setText(totals.pools.note, store.worlds.size ? `${inWorlds} in ${plural(store.worlds.size, 'world')}` : '');
        setText(totals.live.note, `of ${short(sums.capacity)}`);
        setText(totals.bytes.note, sums.live ? `${bytes(Math.round(sums.bytes / sums.live))} a live object` : '');
        setText(totals.churn.note, 'acquired a second');
        for (const key of ['refused', 'replaced']) {
            setText(totals[key].note, `+${short(lately[key])} last minute`);
            setFlag(totals[key].value.parentElement, 'data-lately', lately[key] > 0);
        }
        setText(totals.grown.note, 'times a pool grew');
        setText(totals.retired.note, 'slots used up');
        for (const world of store.worlds.values()) {
            const row = worldRow(world);
            setText(row.link, world.name);
            const built = world.classes.filter((type) => type.built).length;
            setText(row.note, `${world.role} world, ${built} of ${plural(world.classes.length, 'class', 'classes')} built, now ${whole(world.now)}`);
        }
        stages.update();
        stores.update();
        updateEvents();
    }

    let shown = -1;
    function updateEvents() {
        const last = store.events.length ? store.events[store.events.length - 1].number : -1;
        if (last === shown) return;
        shown = last;
        events.replaceChildren(...store.events.slice(-latest).reverse().map((event) => eventRow(event, 'inline')));
        if (last < 0) events.append(h('li', {class: 'empty'}, 'Nothing has gone wrong so far.'));
    }

    function move(by) {
        const links = [...body.querySelectorAll('.pool-link')];
        if (links.length === 0) return;
        const here = links.indexOf(document.activeElement);
        const remembered = links.findIndex((link) => link.getAttribute('href') === `#/pool/${kept.selected}`);
        const at = here >= 0 ? Math.min(links.length - 1, Math.max(0, here + by)) : Math.max(0, remembered);
        links[at].focus();
        links[at].scrollIntoView({block: 'nearest'});
        kept.selected = Number(links[at].closest('tr').dataset.pool);
    }

    update();
    return {
        element,
        title: 'Overview',
        update,
        close() {
            seen.disconnect();
            for (const row of rows.values()) row.close();
        },
        focus() {
            if (kept.selected !== null) body.querySelector(`[data-pool="${kept.selected}"] .pool-link`)?.focus();
        },
        keys: {
            j: () => move(1),
            k: () => move(-1),
            '/': () => filter.focus(),
        },
    };
}
