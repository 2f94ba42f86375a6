// How numbers are written. One place, so that the same count looks the same everywhere.
const wholes = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const compacts = new Intl.NumberFormat('en', {notation: 'compact', maximumSignificantDigits: 3});

export function whole(n) {
    return wholes.format(n);
}

/// Exact up to five digits, then 123K, 4.56M: a column keeps its width.
export function short(n) {
    return Math.abs(n) < 100000 ? wholes.format(n) : compacts.format(n);
}

/// 1K from a thousand on: for the labels of an axis.
export function compact(n) {
    return n < 1000 ? wholes.format(n) : compacts.format(n);
}

export function rate(n) {
    return n > 0 && n < 10 ? n.toFixed(1) : short(Math.round(n));
}

export function bytes(n) {
    if (n < 1024) return `${n} B`;
    const units = ['KiB', 'MiB', 'GiB', 'TiB'];
    let unit = -1;
    let value = n;
    do {
        value /= 1024;
        ++unit;
    } while (value >= 1024 && unit < units.length - 1);
    return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function percent(part, of) {
    if (!of) return '0 %';
    const value = (100 * part) / of;
    return value > 0 && value < 1 ? '<1 %' : `${Math.floor(value)} %`;
}

export function clock(ms) {
    return new Date(ms).toLocaleTimeString('en-GB');
}

export function ago(ms) {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
}

export function plural(n, one, many = `${one}s`) {
    return `${whole(n)} ${n === 1 ? one : many}`;
}

export function fromBase64(text) {
    const raw = atob(text);
    const result = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) result[i] = raw.charCodeAt(i);
    return result;
}
