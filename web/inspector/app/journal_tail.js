// The last entries of a stage's journal, newest first, of all entities or of one life. What a rewind took back stays for a while, struck out.
import {get} from './api.js';
import {h, setText} from './dom.js';
import {plural, whole} from './format.js';
import {changed, store} from './store.js';

const readEvery = 500;   // ms
const mostEntries = 60;
const mostTaken = 12;    // entries that are shown of what a rewind took back
const mostCuts = 8;

export function entityHash(stage, id) {
    return `#/stage/${stage}/${encodeURIComponent(id)}`;
}

/// "hp 100 → 50": one changed field.
export function changeOf({field, from, to}) {
    return h('span', {class: 'change'}, h('span', {class: 'change-field'}, field), ' ', h('code', {class: 'change-from'}, from), ' → ', h('code', {}, to));
}

function same(a, b) {
    return ['commit', 'tick', 'kind', 'class', 'generation', 'version'].every((key) => a[key] === b[key])
        && JSON.stringify(a.changes) === JSON.stringify(b.changes);
}

export class JournalTail {
    /// `generation`: of one life; null: all.
    constructor(stage, generation = null) {
        this.stage = stage;
        this.generation = generation;
        this.answer = null;
        this.cuts = [];
        this.drawn = '';
        this.readAt = 0;
        this.busy = false;
        this.closed = false;
        this.list = h('ol', {class: 'journal', reversed: true});
        this.note = h('span', {class: 'more', role: 'status'});
        this.element = h('section', {class: 'panel', id: 'journal', 'aria-label': 'Journal'},
            h('h2', {}, generation === null ? 'Journal' : 'Journal of this life', this.note), this.list);
    }

    async read() {
        if (this.busy || this.closed || performance.now() - this.readAt < readEvery || store.link.state === 'gone') return;
        this.busy = true;
        this.readAt = performance.now();
        try {
            const of = this.generation === null ? '' : `&generation=${this.generation}`;
            this.take(await get(`stages/${this.stage}/journal?most=${mostEntries}${of}`));
            changed();
        } catch {
            // the page says when the program has gone, and that of a stage when the stage has
        } finally {
            this.busy = false;
        }
    }

    /// What was there and is not any more, or is another entry now, was taken back.
    take(answer) {
        const before = this.answer;
        this.answer = answer;
        if (!before) return;
        if (before.resets !== answer.resets) {
            this.cuts = [];
            return;
        }
        const now = new Map(answer.entries.map((entry) => [entry.number, entry]));
        const taken = before.entries.filter((entry) => entry.number >= answer.next || (now.has(entry.number) && !same(now.get(entry.number), entry)));
        if (taken.length > 0) this.cuts.unshift({at: Math.min(...taken.map(({number}) => number)), tick: answer.now, taken});
        const oldest = answer.entries.at(-1)?.number ?? 0;
        this.cuts = this.cuts.filter((cut) => cut.at > oldest || answer.entries.length < mostEntries).slice(0, mostCuts);
    }

    row(entry, taken) {
        const name = entry.id ?? `${this.className(entry.class)} of generation ${entry.generation}`;
        return h('li', {class: taken ? 'entry taken' : 'entry', 'data-number': entry.number, 'data-kind': entry.kind, 'data-open': !entry.confirmed,
                        title: `commit ${whole(entry.commit)}, ${taken ? 'taken back' : entry.confirmed ? 'confirmed' : 'not confirmed yet'}`},
            h('span', {class: 'entry-number'}, whole(entry.number)),
            h('span', {class: 'entry-tick'}, `tick ${whole(entry.tick)}`),
            h('span', {class: 'badge', 'data-change': entry.kind}, entry.kind),
            h('span', {class: 'entry-what'},
              this.generation === null ? [entry.id !== null && !taken ? h('a', {class: 'entry-id', href: entityHash(this.stage, entry.id)}, name)
                  : h('span', {class: 'entry-id'}, name), ' '] : null,
              h('span', {class: 'entry-life', title: 'generation, version'}, `(${whole(entry.generation)}, ${whole(entry.version)})`), ' ',
              entry.note ? h('span', {class: 'entry-note'}, ['locked', 'unlocked'].includes(entry.kind) ? `by ${entry.note}` : entry.note) : null,
              entry.changes.map(changeOf)));
    }

    className(number) {
        return store.stages.get(this.stage)?.classes.find((one) => one.number === number)?.name ?? 'entity';
    }

    cutRow(cut) {
        const more = cut.taken.length > mostTaken ? h('li', {class: 'entry taken'}, `${whole(cut.taken.length - mostTaken)} more`) : null;
        return [h('li', {class: 'cut', 'data-taken': cut.taken.length},
                  `Rewind to tick ${whole(cut.tick)}: ${plural(cut.taken.length, 'entry', 'entries')} taken back`),
                ...cut.taken.slice(0, mostTaken).map((entry) => this.row(entry, true)), more].filter(Boolean);
    }

    update() {
        this.read();
        if (!this.answer) return;
        const held = this.list.matches(':hover') && this.drawn !== '';
        const {entries, confirmed, next, kept} = this.answer;
        setText(this.note, held ? 'held while the pointer is here' : `${whole(next)} so far, ${whole(kept)} kept, ${whole(next - confirmed)} not confirmed`);
        const state = JSON.stringify([entries, this.cuts]);
        if (held || state === this.drawn) return;
        this.drawn = state;
        const rows = [];
        const cuts = [...this.cuts].sort((a, b) => b.at - a.at);
        for (const entry of entries) {
            while (cuts.length > 0 && cuts[0].at > entry.number) rows.push(...this.cutRow(cuts.shift()));
            rows.push(this.row(entry, false));
        }
        for (const cut of cuts) rows.push(...this.cutRow(cut));
        if (rows.length === 0) rows.push(h('li', {class: 'empty'}, 'No entry is kept.'));
        this.list.replaceChildren(...rows);
    }

    close() {
        this.closed = true;
    }
}
