// The last minute of one pool: a ring of samples, oldest first when walked.
//
//   time[i]                          ms of the program's clock: samples that arrive late and together are still a period apart
//   live[i]                          objects
//   acquired, refused, replaced[i]   how many since the sample before
//   rate.acquired, …[i]              the same a second
//
// A program that rewinds takes its counters back: what it undid is taken out of the latest samples, so that their sum never exceeds
// what the counter says.
export const minute = 60000;
const counters = ['acquired', 'refused', 'replaced'];
const room = 320;  // a minute at 4 a second is 240; the rest is for a program that samples a little faster

export class Series {
    constructor() {
        this.time = new Float64Array(room);
        this.live = new Float32Array(room);
        this.rate = {};
        for (const name of counters) {
            this[name] = new Float64Array(room);
            this.rate[name] = new Float32Array(room);
        }
        this.clear();
    }

    clear() {
        this.start = 0;
        this.count = 0;
    }

    /// Index of the i-th sample, oldest first.
    at(i) {
        return (this.start + i) % room;
    }

    /// `more`: how far each counter has gone since the sample before; negative after a rewind. `since`: when that was, if it is not the
    /// sample that is kept last.
    push(time, live, more, since = undefined) {
        if (this.count > 0 && time <= this.time[this.at(this.count - 1)]) return;
        const before = since ?? (this.count > 0 ? this.time[this.at(this.count - 1)] : time);
        if (this.count === room) this.start = (this.start + 1) % room;
        else ++this.count;
        const i = this.at(this.count - 1);
        this.time[i] = time;
        this.live[i] = live;
        for (const name of counters) {
            this[name][i] = Math.max(0, more[name]);
            this.rate[name][i] = time > before ? (this[name][i] * 1000) / (time - before) : 0;
            if (more[name] < 0) this.takeOut(name, -more[name]);
        }
    }

    takeOut(name, undone) {
        for (let i = this.count - 1; i >= 0 && undone > 0; --i) {
            const here = this.at(i);
            const part = Math.min(undone, this[name][here]);
            if (part === 0) continue;
            this.rate[name][here] *= 1 - part / this[name][here];
            this[name][here] -= part;
            undone -= part;
        }
    }

    /// What the program remembers takes the place of what the page saw, which began later; samples that are newer stay.
    fill(history) {
        const newer = [];
        for (let i = 0; i < this.count; ++i) {
            const here = this.at(i);
            if (this.time[here] > history.ms) newer.push([this.time[here], this.live[here], Object.fromEntries(counters.map((name) => [name, this[name][here]]))]);
        }
        const count = history.live.length;
        this.clear();
        for (let i = Math.max(0, count - room); i < count; ++i) {
            const time = history.ms - (count - 1 - i) * history.period_ms;
            this.push(time, history.live[i], Object.fromEntries(counters.map((name) => [name, history[name][i]])), time - history.period_ms);
        }
        for (const sample of newer) this.push(...sample);
    }

    /// How many a second over the last second.
    lastSecond(name) {
        let sum = 0;
        let span = 0;
        for (let i = this.count - 1; i > 0 && span < 950; --i) {
            sum += this[name][this.at(i)];
            span += this.time[this.at(i)] - this.time[this.at(i - 1)];
        }
        return span > 0 ? (sum * 1000) / span : 0;
    }

    /// How many of a counter fell into the last `within` ms.
    total(name, now, within) {
        let sum = 0;
        for (let i = this.count - 1; i >= 0 && this.time[this.at(i)] >= now - within; --i) sum += this[name][this.at(i)];
        return sum;
    }
}
