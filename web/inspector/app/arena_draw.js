// How the game looks: every kind a sprite that is painted once a size, and put down once for each point.

/// colour: of the legend and of the sprite; size: half of it, in units of the field; glow: how far it shines.
export const looks = {
    particle: {name: 'Particles', colour: '#7f98a8', draw: puff},
    glint: {name: 'Glitter', colour: '#ffc98a', draw: dust},
    debris: {name: 'Debris', colour: '#8fa3ad', draw: shard},
    ember: {name: 'Embers', colour: '#ff9c4a', draw: spark},
    orb: {name: 'Orbs', colour: '#6ff0a2', draw: gem},
    explosion: {name: 'Explosions', colour: '#ffd27a', draw: blast},
    enemy_bullet: {name: 'Enemy bullets', colour: '#ff5fa2', draw: pearl},
    bullet: {name: 'Bullets', colour: '#62e0ff', draw: dart},
    shot: {name: 'Shells', colour: '#a8f1ff', draw: shell},
    missile: {name: 'Missiles', colour: '#ffe45e', draw: missile},
    enemy: {name: 'Enemies', colour: '#b38cff', draw: hull},
    ship: {name: 'Ship', colour: '#e8fbff', draw: ship},
    text: {name: 'Numbers', colour: '#fff3b0', draw: plus},
};
const unknown = {name: '', colour: '#c8d4da', draw: dot};
const order = Object.keys(looks);
const lights = new Set(['particle', 'glint', 'ember', 'explosion', 'bullet', 'shot']);

export function lookOf(kind) {
    return looks[kind] ?? {...unknown, name: kind};
}

let sprites = new Map();
let spriteScale = 0;

function spriteOf(kind, scale) {
    if (scale !== spriteScale) {
        sprites = new Map();
        spriteScale = scale;
    }
    let sprite = sprites.get(kind);
    if (!sprite) {
        const look = lookOf(kind);
        sprite = look.draw(scale, look.colour);
        sprites.set(kind, sprite);
    }
    return sprite;
}

/// A canvas of `half` field units around the middle, and its context with the field's scale.
function sheet(scale, half) {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.max(2, Math.ceil(half * 2 * scale));
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, canvas.width / 2, canvas.height / 2);
    return {canvas, context};
}

function shine(context, colour, radius, strength) {
    const light = context.createRadialGradient(0, 0, 0, 0, 0, radius);
    light.addColorStop(0, colour);
    light.addColorStop(1, `${colour}00`);
    context.globalAlpha = strength;
    context.fillStyle = light;
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
}

function disc(context, colour, radius) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.fill();
}

function shape(context, points) {
    context.beginPath();
    for (const [i, [x, y]] of points.entries()) context[i ? 'lineTo' : 'moveTo'](x, y);
    context.closePath();
}

function dot(scale, colour) {
    const {canvas, context} = sheet(scale, 2);
    disc(context, colour, 1.5);
    return canvas;
}

function spark(scale, colour) {
    const {canvas, context} = sheet(scale, 3);
    shine(context, colour, 2.6, 0.5);
    disc(context, '#ffe2c0', 0.6);
    return canvas;
}

function gem(scale, colour) {
    const {canvas, context} = sheet(scale, 6);
    shine(context, colour, 5.5, 0.35);
    shape(context, [[0, -2.6], [2, 0], [0, 2.6], [-2, 0]]);
    context.fillStyle = colour;
    context.fill();
    shape(context, [[0, -2.6], [0.7, -0.3], [-2, 0]]);
    context.fillStyle = '#e9fff2';
    context.fill();
    return canvas;
}

function blast(scale, colour) {
    const {canvas, context} = sheet(scale, 20);
    shine(context, '#ff7a3d', 19, 0.55);
    shine(context, colour, 10, 0.9);
    context.strokeStyle = colour;
    context.globalAlpha = 0.7;
    context.lineWidth = 0.9;
    context.beginPath();
    context.arc(0, 0, 13, 0, 2 * Math.PI);
    context.stroke();
    return canvas;
}

function pearl(scale, colour) {
    const {canvas, context} = sheet(scale, 4.5);
    shine(context, colour, 4.2, 0.4);
    disc(context, colour, 1.9);
    disc(context, '#fff0f7', 0.95);
    return canvas;
}

function puff(scale, colour) {
    const {canvas, context} = sheet(scale, 5);
    shine(context, colour, 4.8, 0.3);
    return canvas;
}

function dust(scale, colour) {
    const {canvas, context} = sheet(scale, 2);
    context.globalAlpha = 0.75;
    disc(context, colour, 0.8);
    return canvas;
}

function shard(scale, colour) {
    const {canvas, context} = sheet(scale, 3);
    shape(context, [[-1.8, -0.6], [0.6, -1.7], [1.8, 0.9], [-0.4, 1.5]]);
    context.globalAlpha = 0.85;
    context.fillStyle = colour;
    context.fill();
    return canvas;
}

function shell(scale, colour) {
    const {canvas, context} = sheet(scale, 5);
    shine(context, '#62e0ff', 4.6, 0.5);
    disc(context, colour, 1.7);
    disc(context, '#ffffff', 0.9);
    return canvas;
}

function dart(scale, colour) {
    const {canvas, context} = sheet(scale, 7);
    shine(context, colour, 5, 0.4);
    context.lineCap = 'round';
    context.strokeStyle = colour;
    context.lineWidth = 1.9;
    context.beginPath();
    context.moveTo(0, -4);
    context.lineTo(0, 4);
    context.stroke();
    context.strokeStyle = '#f2fdff';
    context.lineWidth = 0.8;
    context.beginPath();
    context.moveTo(0, -3.6);
    context.lineTo(0, 1.5);
    context.stroke();
    return canvas;
}

function missile(scale, colour) {
    const {canvas, context} = sheet(scale, 9);
    shine(context, '#ff9c4a', 8, 0.5);
    shape(context, [[0, -4.5], [1.8, 0], [1.8, 3], [-1.8, 3], [-1.8, 0]]);
    context.fillStyle = colour;
    context.fill();
    shape(context, [[1.4, 3], [0, 7.5], [-1.4, 3]]);
    context.fillStyle = '#ff7a3d';
    context.fill();
    return canvas;
}

function hull(scale, colour) {
    const {canvas, context} = sheet(scale, 15);
    shine(context, colour, 14, 0.3);
    const six = Array.from({length: 6}, (_, i) => [8 * Math.sin((i * Math.PI) / 3), 8 * Math.cos((i * Math.PI) / 3)]);
    shape(context, six);
    context.fillStyle = '#2a1c4d';
    context.fill();
    context.strokeStyle = colour;
    context.lineWidth = 1.4;
    context.lineJoin = 'round';
    context.stroke();
    disc(context, colour, 2.6);
    disc(context, '#f4eeff', 1.1);
    return canvas;
}

function ship(scale, colour) {
    const {canvas, context} = sheet(scale, 22);
    shine(context, '#3fc7ff', 21, 0.4);
    shape(context, [[2.6, 7], [0, 15], [-2.6, 7]]);
    context.fillStyle = '#62e0ff';
    context.fill();
    shape(context, [[0, -11], [4, 0], [10, 7], [3, 6], [0, 8], [-3, 6], [-10, 7], [-4, 0]]);
    context.fillStyle = colour;
    context.fill();
    context.strokeStyle = '#2aa9d9';
    context.lineWidth = 1;
    context.lineJoin = 'round';
    context.stroke();
    shape(context, [[0, -5], [1.8, 1], [0, 3], [-1.8, 1]]);
    context.fillStyle = '#1d7fb0';
    context.fill();
    return canvas;
}

function plus(scale, colour) {
    const {canvas, context} = sheet(scale, 4);
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.beginPath();
    for (const [x, y] of [[2.4, 0], [0, 2.4], [1.6, 1.6], [1.6, -1.6]]) {
        context.moveTo(-x, -y);
        context.lineTo(x, y);
    }
    context.stroke();
    return canvas;
}

// --- the field ---------------------------------------------------------------------------------------------------------------

let backdrop = null;

/// Deep water: the same for every frame of the same size, so it is painted once.
function background(width, height, scale) {
    const key = `${width} ${height} ${scale}`;
    if (backdrop?.key === key) return backdrop.canvas;
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    const deep = context.createLinearGradient(0, 0, 0, height);
    deep.addColorStop(0, '#060c13');
    deep.addColorStop(1, '#0f2735');
    context.fillStyle = deep;
    context.fillRect(0, 0, width, height);
    context.strokeStyle = '#1a3a48';
    context.globalAlpha = 0.45;
    context.lineWidth = 0.5;
    context.beginPath();
    for (let x = 40; x < width; x += 40) {
        context.moveTo(x, 0);
        context.lineTo(x, height);
    }
    for (let y = 40; y < height; y += 40) {
        context.moveTo(0, y);
        context.lineTo(width, y);
    }
    context.stroke();
    backdrop = {key, canvas};
    return canvas;
}

/// groups: [{kind, points: Int16Array of x, y}]. Returns how many points were drawn.
export function drawField(context, canvas, field, groups) {
    const scale = Math.min(canvas.width / field.width, canvas.height / field.height);
    const left = (canvas.width - field.width * scale) / 2;
    const top = (canvas.height - field.height * scale) / 2;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = 'source-over';
    context.fillStyle = '#060d14';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.save();
    context.beginPath();
    context.rect(left, top, field.width * scale, field.height * scale);
    context.clip();
    context.drawImage(background(field.width, field.height, scale), left, top);
    let drawn = 0;
    const rank = (kind) => (order.includes(kind) ? order.indexOf(kind) : -1);
    for (const {kind, points} of [...groups].sort((a, b) => rank(a.kind) - rank(b.kind))) {
        const sprite = spriteOf(kind, scale);
        const half = sprite.width / 2;
        // Light adds up; what has a body covers.
        context.globalCompositeOperation = lights.has(kind) ? 'lighter' : 'source-over';
        for (let i = 0; i + 1 < points.length; i += 2) {
            // On whole pixels: the browser then copies, and does not scale, which is several times as fast.
            context.drawImage(sprite, Math.round(left + points[i] * scale - half), Math.round(top + points[i + 1] * scale - half));
        }
        drawn += points.length >> 1;
    }
    context.restore();
    return drawn;
}
