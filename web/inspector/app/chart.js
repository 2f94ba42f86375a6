// Lines and bars of the last minute, and the histogram of lifetimes.
import {begin, h, unwatchCanvas, watchCanvas} from './dom.js';
import {compact, rate, short, whole} from './format.js';
import {palette} from './palette.js';
import {minute} from './series.js';

/// A line without axes. `most` is the height that fills it; 0: what the line itself reaches.
export function sparkline(canvas, series, now, most = 0) {
    const drawing = begin(canvas);
    if (!drawing || series.count < 2) return;
    const {context, width, height} = drawing;
    const {accent, fill, bad, warn} = palette();
    let top = most;
    for (let i = 0; i < series.count; ++i) top = Math.max(top, series.live[series.at(i)]);
    const x = (time) => width - ((now - time) / minute) * width;
    const y = (value) => height - 2 - (top > 0 ? value / top : 0) * (height - 5);
    trace(context, series, series.live, now, x, y);
    context.strokeStyle = accent;
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.stroke();
    context.lineTo(width, height);
    context.lineTo(x(series.time[series.at(firstSeen(series, now))]), height);
    context.closePath();
    context.globalAlpha = 0.28;
    context.fillStyle = fill;
    context.fill();
    context.globalAlpha = 1;
    // What went wrong, on the floor of the line: refused above replaced.
    for (let i = 0; i < series.count; ++i) {
        const here = series.at(i);
        const at = x(series.time[here]);
        if (at < 0 || (series.refused[here] === 0 && series.replaced[here] === 0)) continue;
        context.fillStyle = series.refused[here] > 0 ? bad : warn;
        context.fillRect(at - 1, height - 3, 2, 3);
    }
}

function firstSeen(series, now) {
    for (let i = 0; i < series.count; ++i) if (series.time[series.at(i)] >= now - minute) return i;
    return Math.max(0, series.count - 1);
}

function trace(context, series, values, now, x, y) {
    context.beginPath();
    for (let i = firstSeen(series, now), first = true; i < series.count; ++i, first = false) {
        const here = series.at(i);
        if (first) context.moveTo(x(series.time[here]), y(values[here]));
        else context.lineTo(x(series.time[here]), y(values[here]));
    }
}

/// 1, 2 or 5 times a power of ten, so that three or four lines make an axis.
function niceStep(top) {
    const rough = top / 3;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough;
}

/// A canvas that is drawn again when its size or the pointer over it changes: `this.draw(...this.last)`.
class Pointed {
    listen() {
        this.pointer = null;
        this.last = null;
        watchCanvas(this.canvas, () => this.redraw());
        this.canvas.addEventListener('pointermove', (event) => {
            this.pointer = event.offsetX;
            this.redraw();
        });
        this.canvas.addEventListener('pointerleave', () => {
            this.pointer = null;
            this.redraw();
        });
    }

    close() {
        unwatchCanvas(this.canvas);
    }

    redraw() {
        if (this.last) this.draw(...this.last);
    }
}

/// A chart with axes and a reading under the pointer.
export class Chart extends Pointed {
    /// options: title, hint, pick(series) → values, colour (a name of the palette), bars, whole (no fractions)
    constructor(options) {
        super();
        this.options = options;
        this.canvas = h('canvas', {class: 'chart-canvas', role: 'img', 'aria-label': `${options.title}, last minute`});
        this.reading = h('span', {class: 'chart-reading', 'data-chart': options.title});
        this.element = h('figure', {class: 'chart panel'},
                         h('figcaption', {class: 'chart-head', title: options.hint}, h('span', {}, options.title), this.reading),
                         this.canvas);
        this.listen();
    }

    /// limit: a line across, as the capacity is for the live ones; 0: none
    draw(series, now, limit = 0) {
        this.last = [series, now, limit];
        const values = this.options.pick(series);
        const show = this.options.whole ? short : rate;
        const drawing = begin(this.canvas);
        if (!drawing) return;
        const {context, width, height} = drawing;
        const colours = palette();
        const [left, right, above, below] = [46, 10, 10, 20];
        let top = 0;
        const first = firstSeen(series, now);
        for (let i = first; i < series.count; ++i) top = Math.max(top, values[series.at(i)]);
        // The limit belongs to the picture only when it is near: 10 of a million would be a line on the floor.
        const near = limit > 0 && top * 4 >= limit;
        if (near) top = Math.max(top, limit);
        if (top <= 0) top = 4;  // nothing yet: an axis with whole numbers
        const step = niceStep(top);
        top = Math.max(top * 1.06, step);
        const x = (time) => width - right - ((now - time) / minute) * (width - left - right);
        const y = (value) => height - below - (value / top) * (height - above - below);

        context.font = colours.font;
        context.textBaseline = 'middle';
        context.textAlign = 'right';
        context.lineWidth = 1;
        for (let value = 0; value <= top; value += step) {
            const at = Math.round(y(value)) + 0.5;
            context.strokeStyle = colours.line;
            context.beginPath();
            context.moveTo(left, at);
            context.lineTo(width - right, at);
            context.stroke();
            context.fillStyle = colours.soft;
            context.fillText(step < 1 ? value.toFixed(1) : short(value), left - 7, at);
        }
        context.textBaseline = 'alphabetic';
        for (const [seconds, text, align] of [[60, '−60 s', 'left'], [30, '−30 s', 'center'], [0, 'now', 'right']]) {
            context.textAlign = align;
            context.fillText(text, x(now - seconds * 1000), height - 4);
        }

        context.save();
        context.beginPath();
        context.rect(left, 0, width - left - right + 1, height);
        context.clip();
        const colour = colours[this.options.colour];
        if (this.options.bars) {
            context.fillStyle = colour;
            for (let i = first; i < series.count; ++i) {
                const here = series.at(i);
                if (values[here] <= 0) continue;
                const thick = Math.max(1.5, ((width - left - right) / 240) * 0.8);
                context.fillRect(x(series.time[here]) - thick, y(values[here]), thick, height - below - y(values[here]));
            }
        } else if (series.count > first) {
            trace(context, series, values, now, x, y);
            context.strokeStyle = colour;
            context.lineWidth = 1.75;
            context.lineJoin = 'round';
            context.stroke();
            context.lineTo(x(series.time[series.at(series.count - 1)]), height - below);
            context.lineTo(x(series.time[series.at(first)]), height - below);
            context.closePath();
            context.globalAlpha = 0.16;
            context.fillStyle = colour;
            context.fill();
            context.globalAlpha = 1;
        }
        if (near) {
            context.strokeStyle = colours.soft;
            context.lineWidth = 1;
            context.setLineDash([4, 4]);
            context.beginPath();
            context.moveTo(left, Math.round(y(limit)) + 0.5);
            context.lineTo(width, Math.round(y(limit)) + 0.5);
            context.stroke();
            context.setLineDash([]);
        }
        context.restore();

        let at = series.count - 1;
        let when = 'now';
        if (this.pointer !== null && series.count > 0) {
            const time = now - ((width - right - this.pointer) / (width - left - right)) * minute;
            for (let i = first; i < series.count; ++i) {
                if (Math.abs(series.time[series.at(i)] - time) < Math.abs(series.time[series.at(at)] - time)) at = i;
            }
            when = `${Math.max(0, (now - series.time[series.at(at)]) / 1000).toFixed(1)} s ago`;
            const here = series.at(at);
            context.strokeStyle = colours.soft;
            context.beginPath();
            context.moveTo(x(series.time[here]), above);
            context.lineTo(x(series.time[here]), height - below);
            context.stroke();
            context.fillStyle = colour;
            context.beginPath();
            context.arc(x(series.time[here]), y(values[here]), 3.5, 0, 2 * Math.PI);
            context.fill();
        }
        const value = series.count > 0 ? values[series.at(at)] : 0;
        this.reading.textContent = when === 'now' ? show(value) : `${show(value)}, ${when}`;
    }
}

/// How long objects lived: a bar between two edges, with the count above it.
export class Histogram extends Pointed {
    constructor() {
        super();
        this.canvas = h('canvas', {class: 'chart-canvas tall', role: 'img', 'aria-label': 'Lifetimes'});
        this.reading = h('span', {class: 'chart-reading'});
        this.element = h('figure', {class: 'chart panel', id: 'lifetimes'},
                         h('figcaption', {class: 'chart-head', title: 'Objects that have been released, by how long they lived'},
                           h('span', {}, 'Lifetimes'), this.reading),
                         this.canvas);
        this.listen();
    }

    draw(lifetimes) {
        this.last = [lifetimes];
        const {edges, counts, unit, seen, unmeasured = 0} = lifetimes;
        this.element.dataset.counts = counts.join(',');
        this.element.dataset.seen = seen;
        const drawing = begin(this.canvas);
        if (!drawing) return;
        const {context, width, height} = drawing;
        const colours = palette();
        // Empty ends say nothing, and take the room of the rest.
        let from = counts.findIndex((count) => count > 0);
        let to = counts.length;
        while (to > 0 && counts[to - 1] === 0) --to;
        context.font = colours.font;
        if (from < 0) {
            context.fillStyle = colours.soft;
            context.textAlign = 'center';
            context.fillText('Nothing has been released yet.', width / 2, height / 2);
            this.reading.textContent = '';
            return;
        }
        from = Math.max(0, from - 1);
        to = Math.min(counts.length, to + 1);
        const most = Math.max(...counts);
        const [left, above, below] = [10, 22, 34];
        const each = (width - 2 * left) / (to - from);
        const name = (i) => {
            // counts[i]: at most edges[i] and more than the edge before; the last: longer than all.
            const low = i === 0 ? 1 : edges[i - 1] + 1;
            if (i >= edges.length) return `${short(low)} or more`;
            return edges[i] <= low ? `at most ${short(edges[i])}` : `${short(low)} to ${short(edges[i])}`;
        };
        const hover = this.pointer === null ? -1 : from + Math.floor((this.pointer - left) / each);
        context.textAlign = 'center';
        for (let i = from; i < to; ++i) {
            const x = left + (i - from) * each;
            const tall = (counts[i] / most) * (height - above - below);
            context.fillStyle = colours.accent;
            context.globalAlpha = hover === i || hover < from || hover >= to ? 1 : 0.45;
            context.beginPath();
            context.roundRect(x + each * 0.08, height - below - Math.max(tall, counts[i] > 0 ? 1.5 : 0), each * 0.84,
                              Math.max(tall, counts[i] > 0 ? 1.5 : 0), [3, 3, 0, 0]);
            context.fill();
            context.globalAlpha = 1;
            context.fillStyle = colours.soft;
            if (each > 34 && counts[i] > 0) context.fillText(short(counts[i]), x + each / 2, height - below - tall - 6);
            // A label where it has room; every bar keeps its own place.
            const label = i >= edges.length ? 'more' : edges[i] < 100000 ? String(edges[i]) : compact(edges[i]);
            if (each > 26 || (i - from) % 3 === 0) context.fillText(label, x + each * (each > 60 ? 0.5 : 0.3), height - below + 15);
        }
        context.fillStyle = colours.line;
        context.fillRect(left, height - below, width - 2 * left, 1);
        context.fillStyle = colours.soft;
        context.fillText(`${unit} that an object lived, at most`, width / 2, height - 4);
        this.reading.textContent = hover >= from && hover < to
            ? `${whole(counts[hover])} lived ${name(hover)} ${unit}`
            : `${whole(seen)} seen${unmeasured > 0 ? `, ${short(unmeasured)} between two looks` : ''}`;
    }
}
