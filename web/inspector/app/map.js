// Who lives where: a cell for each slot, or for as many neighbours as it takes to fit a million of them on a screen.
import {get} from './api.js';
import {begin, h, setText, unwatchCanvas, watchCanvas} from './dom.js';
import {fromBase64, plural, whole} from './format.js';
import {palette} from './palette.js';
import {store} from './store.js';

const readEvery = 500;    // ms
const smallest = 5;       // pixels that a cell takes at least
const largest = 28;       // pixels that a cell takes at most
const mostCells = 16384;  // asked for at once
const fewest = 16;        // slots that the map shows at least

/// Pixels that the map may be high.
function tallest() {
    return Math.min(620, Math.max(280, 0.46 * window.innerHeight));
}

export class OccupancyMap {
    constructor(id) {
        this.id = id;
        this.slots = 0;
        this.from = 0;
        this.to = 0;  // 0: all
        this.by = 'age';
        this.answer = null;
        this.busy = false;
        this.again = false;
        this.readAt = 0;
        this.closed = false;
        this.absent = false;  // the program said that it has no slots to show
        this.pointer = null;

        this.canvas = h('canvas', {
            class: 'map-canvas', tabindex: '0', role: 'img', 'aria-label': 'Occupancy map. Plus and minus zoom, arrows move, 0 shows all.',
        });
        this.reading = h('span', {class: 'chart-reading'});
        this.range = h('span', {class: 'map-range'});
        const button = (label, text, act) => h('button', {type: 'button', class: 'small-button', 'aria-label': label, title: label, onclick: act}, text);
        this.choices = ['age', 'generation'].map((by) => h('button', {
            type: 'button', class: 'segment', 'data-by': by, 'aria-pressed': String(by === this.by), onclick: () => this.colourBy(by),
        }, by));
        this.legend = h('canvas', {class: 'map-legend-ramp', 'aria-hidden': 'true'});
        this.legendLow = h('span', {});
        this.legendHigh = h('span', {});
        this.element = h('figure', {class: 'panel map', id: 'map'},
            h('figcaption', {class: 'chart-head'}, h('span', {}, 'Occupancy'), this.reading),
            h('div', {class: 'map-tools'},
              h('div', {class: 'segments', role: 'group', 'aria-label': 'Colour by'}, this.choices),
              h('div', {class: 'map-buttons'}, this.range, button('Zoom out (−)', '−', () => this.zoom(0.5)),
                button('Zoom in (+)', '+', () => this.zoom(2)), button('Show all slots (0)', 'all', () => this.whole()))),
            this.canvas,
            h('div', {class: 'map-legend'}, h('span', {class: 'map-empty'}), h('span', {}, 'empty'),
              this.legendLow, this.legend, this.legendHigh));
        this.listen();
        watchCanvas(this.canvas, () => {
            this.draw();
            this.read();
        });
        watchCanvas(this.legend, () => this.drawLegend());
        this.onTheme = () => requestAnimationFrame(() => this.draw());
        window.addEventListener('lido-theme', this.onTheme);
    }

    close() {
        this.closed = true;
        unwatchCanvas(this.canvas);
        unwatchCanvas(this.legend);
        window.removeEventListener('lido-theme', this.onTheme);
    }

    listen() {
        this.canvas.addEventListener('wheel', (event) => {
            if (!this.answer) return;
            event.preventDefault();
            if (event.shiftKey) this.pan(Math.sign(event.deltaY || event.deltaX) * this.span() / 8);
            else this.zoom(event.deltaY < 0 ? 1.5 : 1 / 1.5, this.slotAt(event.offsetX, event.offsetY));
        }, {passive: false});
        let drag = null;
        this.canvas.addEventListener('pointerdown', (event) => {
            drag = {x: event.offsetX, y: event.offsetY, from: this.from};
            this.canvas.setPointerCapture(event.pointerId);
        });
        this.canvas.addEventListener('pointermove', (event) => {
            this.pointer = {x: event.offsetX, y: event.offsetY};
            if (drag && this.layout) {
                const {cell, columns} = this.layout;
                const rows = Math.round((event.offsetY - drag.y) / cell);
                const steps = Math.round((event.offsetX - drag.x) / cell);
                this.moveTo(drag.from - (rows * columns + steps) * this.answer.per_cell);
            }
            this.readOut();
        });
        for (const end of ['pointerup', 'pointercancel']) this.canvas.addEventListener(end, () => { drag = null; });
        this.canvas.addEventListener('pointerleave', () => {
            this.pointer = null;
            this.readOut();
        });
        this.canvas.addEventListener('keydown', (event) => {
            const row = (this.layout?.columns ?? 1) * (this.answer?.per_cell ?? 1);
            const steps = {ArrowUp: -row, ArrowDown: row, ArrowLeft: -row / 4, ArrowRight: row / 4,
                           PageUp: -this.span(), PageDown: this.span(), Home: -Infinity, End: Infinity};
            if (!(event.key in steps)) return;
            event.preventDefault();
            this.pan(steps[event.key]);
        });
    }

    colourBy(by) {
        this.by = by;
        for (const choice of this.choices) choice.setAttribute('aria-pressed', String(choice.dataset.by === by));
        this.read();
    }

    span() {
        return (this.to || this.slots) - this.from;
    }

    whole() {
        this.from = 0;
        this.to = 0;
        this.read();
    }

    zoom(factor, around = this.from + this.span() / 2) {
        const span = Math.min(this.slots, Math.max(Math.min(fewest, this.slots), Math.round(this.span() / factor)));
        if (span >= this.slots) return this.whole();
        const share = (around - this.from) / Math.max(1, this.span());
        const from = Math.round(around - span * share);
        this.from = Math.min(this.slots - span, Math.max(0, from));
        this.to = this.from + span;
        this.read();
    }

    pan(by) {
        this.moveTo(this.from + by);
    }

    moveTo(from) {
        if (this.to === 0) return;
        const span = this.span();
        const next = Math.round(Math.min(this.slots - span, Math.max(0, from)));
        if (next === this.from) return;
        this.from = next;
        this.to = next + span;
        this.read();
    }

    /// Asks again when it is time to; called at every drawing of the page.
    refresh(pool) {
        if (pool.gone) return;
        if (this.slots === 0) this.slots = pool.capacity;
        if (performance.now() - this.readAt > readEvery) this.read();
    }

    /// One request at a time; what is asked for meanwhile is asked for once, at the end.
    async read() {
        if (this.busy) {
            this.again = true;
            return;
        }
        const box = this.canvas.getBoundingClientRect();
        if (this.closed || this.absent || box.width < 1 || store.link.state === 'gone') return;
        this.busy = true;
        this.again = false;
        this.readAt = performance.now();
        const most = tallest();
        const fit = Math.floor(box.width / smallest) * Math.floor(most / smallest);
        const cells = Math.max(16, Math.min(mostCells, fit));
        try {
            const range = this.to ? `&from=${this.from}&to=${this.to}` : '';
            const answer = await get(`pools/${this.id}/map?by=${this.by}${range}&cells=${cells}`);
            answer.bytes = fromBase64(answer.cells);
            this.answer = answer;
            this.slots = answer.slots;
            this.setHeight(box.width);
            if (this.to > this.slots) this.whole();
            requestAnimationFrame(() => this.draw());
        } catch (error) {
            if (error.status !== 404) return;
            // Not again: the answer will not be another one.
            this.absent = true;
            this.element.toggleAttribute('data-absent', !this.answer);
            setText(this.reading, error.message);
        } finally {
            this.busy = false;
            if (this.again) this.read();
        }
    }

    /// The largest cell with which all of them fit, in quarters of a pixel.
    arrange(width, height, count) {
        let cell = Math.min(largest, Math.floor(4 * Math.sqrt((width * height) / Math.max(1, count)) + 1) / 4);
        while (cell > 1 && Math.floor(width / cell) * Math.floor(height / cell) < count) cell -= 0.25;
        const columns = Math.max(1, Math.floor(width / cell));
        return {cell, columns, rows: Math.ceil(count / columns), count};
    }

    /// A small pool takes no more room than all of its slots need; zooming does not change that.
    setHeight(width) {
        const most = tallest();
        const {cell, rows} = this.arrange(width, most, Math.min(this.slots, mostCells));
        const height = `${Math.round(this.slots < mostCells ? Math.max(60, rows * cell) : most)}px`;
        if (this.canvas.style.height !== height) this.canvas.style.height = height;
    }

    draw() {
        if (this.closed || !this.answer) return;
        const drawing = begin(this.canvas);
        if (!drawing) return;
        const {context, width, height} = drawing;
        const {bytes: cells, by} = this.answer;
        const colours = palette();
        const shades = by === 'age' ? colours.age : colours.generation;
        this.layout = this.arrange(width, height, cells.length);
        const {cell, columns} = this.layout;
        const gap = cell >= 7 ? 1.5 : cell >= 4 ? 1 : 0;
        const side = cell - gap;
        let used = 0;
        for (let i = 0; i < cells.length; ++i) {
            context.fillStyle = cells[i] === 0 ? colours.cell : shades[cells[i]];
            used += cells[i] === 0 ? 0 : 1;
            context.fillRect((i % columns) * cell, Math.floor(i / columns) * cell, side, side);
        }
        this.element.dataset.cells = cells.length;
        this.element.dataset.used = used;
        this.element.dataset.perCell = this.answer.per_cell;
        this.element.dataset.by = by;
        this.element.dataset.from = this.answer.from;
        this.element.dataset.to = this.answer.to;
        const all = this.answer.to - this.answer.from === this.answer.slots;
        setText(this.range, all ? plural(this.answer.slots, 'slot') :
            `${whole(this.answer.from)}–${whole(this.answer.to - 1)} of ${whole(this.answer.slots)}`);
        const unit = by === 'age' ? ' ticks' : '';
        setText(this.legendLow, by === 'age' ? `new ${whole(this.answer.newest)}` : `generation ${whole(this.answer.newest)}`);
        setText(this.legendHigh, by === 'age' ? `old ${whole(this.answer.oldest)}${unit}` : whole(this.answer.oldest));
        this.drawLegend();
        this.readOut();
    }

    drawLegend() {
        const drawing = begin(this.legend);
        if (!drawing) return;
        const shades = palette()[this.by];
        for (let x = 0; x < drawing.width; ++x) {
            drawing.context.fillStyle = shades[1 + Math.round((x / drawing.width) * 254)];
            drawing.context.fillRect(x, 0, 1.5, drawing.height);
        }
    }

    cellAt(x, y) {
        if (!this.layout) return -1;
        const column = Math.floor(x / this.layout.cell);
        const i = Math.floor(y / this.layout.cell) * this.layout.columns + column;
        return column < this.layout.columns && i >= 0 && i < this.layout.count ? i : -1;
    }

    slotAt(x, y) {
        const i = this.cellAt(x, y);
        return i < 0 ? this.from + this.span() / 2 : this.answer.from + i * this.answer.per_cell;
    }

    readOut() {
        const {answer} = this;
        if (!answer) return;
        const i = this.pointer ? this.cellAt(this.pointer.x, this.pointer.y) : -1;
        if (i < 0) {
            setText(this.reading, answer.per_cell === 1 ? 'a cell is a slot' : `a cell is ${whole(answer.per_cell)} slots`);
            return;
        }
        const first = answer.from + i * answer.per_cell;
        const last = Math.min(answer.to, first + answer.per_cell) - 1;
        const where = first === last ? `slot ${whole(first)}` : `slots ${whole(first)}–${whole(last)}`;
        const value = Math.round(answer.newest + ((answer.bytes[i] - 1) / 254) * (answer.oldest - answer.newest));
        const what = answer.bytes[i] === 0 ? 'empty' : answer.by === 'age' ? `age ${whole(value)} ticks` : `generation ${whole(value)}`;
        setText(this.reading, `${where}: ${what}`);
    }
}
