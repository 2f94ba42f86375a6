// The last minute of one pool: a ring of samples, oldest first when walked.
//
//   time[i]                          ms of the page's clock
//   live[i]                          objects
//   acquired, refused, replaced[i]   a second, over the time since the sample before
export const minute = 60000;
const room = 320;  // a minute at 4 a second is 240; the rest is for a program that samples a little faster

export class Series {
    constructor() {
        this.time = new Float64Array(room);
        this.live = new Float32Array(room);
        this.acquired = new Float32Array(room);
        this.refused = new Float32Array(room);
        this.replaced = new Float32Array(room);
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

    push(time, live, acquired, refused, replaced) {
        if (this.count > 0 && time <= this.time[this.at(this.count - 1)]) return;
        if (this.count === room) this.start = (this.start + 1) % room;
        else ++this.count;
        const i = this.at(this.count - 1);
        this.time[i] = time;
        this.live[i] = live;
        this.acquired[i] = acquired;
        this.refused[i] = refused;
        this.replaced[i] = replaced;
    }

    /// What the program remembers takes the place of what the page saw, which began later.
    fill(history, now) {
        const aSecond = 1000 / history.period_ms;
        const count = history.live.length;
        this.clear();
        for (let i = Math.max(0, count - room); i < count; ++i) {
            this.push(now - (count - 1 - i) * history.period_ms, history.live[i], history.acquired[i] * aSecond,
                      history.refused[i] * aSecond, history.replaced[i] * aSecond);
        }
    }

    /// Mean of a rate over the last second.
    lastSecond(values) {
        let sum = 0;
        let span = 0;
        for (let i = this.count - 1; i > 0 && span < 950; --i) {
            const here = this.at(i);
            const length = this.time[here] - this.time[this.at(i - 1)];
            sum += values[here] * length;
            span += length;
        }
        return span > 0 ? sum / span : 0;
    }

    /// How many of a counter fell into the last `within` ms.
    total(values, now, within) {
        let sum = 0;
        for (let i = this.count - 1; i > 0; --i) {
            const here = this.at(i);
            if (this.time[here] < now - within) break;
            sum += (values[here] * (this.time[here] - this.time[this.at(i - 1)])) / 1000;
        }
        return Math.round(sum);
    }
}
