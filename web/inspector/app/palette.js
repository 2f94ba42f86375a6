// The colours that a canvas draws with: those of base.css, read once a theme.
let colours = null;
window.addEventListener('lido-theme', () => {
    colours = null;
});

export function palette() {
    if (colours) return colours;
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(`--${name}`).trim();
    colours = {};
    for (const name of ['ink', 'soft', 'faint', 'line', 'panel', 'accent', 'fill', 'warn', 'bad', 'good', 'violet', 'cell']) {
        colours[name] = read(name);
    }
    colours.age = ramp(read('ramp-age'));
    colours.generation = ramp(read('ramp-generation'));
    colours.font = `11px ${style.getPropertyValue('--sans')}`;
    return colours;
}

/// "r g b, r g b, …" to 256 colours, linear between; [0] is not used (nothing lives there).
function ramp(text) {
    const stops = text.split(',').map((stop) => stop.trim().split(/\s+/).map(Number));
    const result = new Array(256);
    for (let i = 0; i < 256; ++i) {
        const at = (Math.max(0, i - 1) / 254) * (stops.length - 1);
        const low = Math.min(stops.length - 2, Math.floor(at));
        const part = at - low;
        const channel = (c) => Math.round(stops[low][c] + (stops[low + 1][c] - stops[low][c]) * part);
        result[i] = `rgb(${channel(0)},${channel(1)},${channel(2)})`;
    }
    return result;
}
