// The little of a framework that this page needs. Text is always set as text: names come from the program.

/// h('p', {class: 'x', onclick: f}, 'text', node…): an element. An attribute that is false, null or undefined is left out.
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === false || value === null || value === undefined) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

/// Sets the text only when it differs, so that an update of a still page costs no layout.
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/// A number cell: what is read, what is exact, and what a test or a sort compares.
export function setValue(element, value, shown, exact = shown) {
    if (element.dataset.value === String(value)) return;
    element.dataset.value = value;
    setText(element, shown);
    if (exact !== shown) element.title = exact;
    else if (element.title) element.removeAttribute('title');
}

export function setFlag(element, name, on) {
    if (element.hasAttribute(name) !== on) element.toggleAttribute(name, on);
}

// --- canvases --------------------------------------------------------------------------------------------------------

const sizes = new WeakMap();
const observer = new ResizeObserver((entries) => {
    for (const entry of entries) {
        const known = sizes.get(entry.target);
        if (!known) continue;
        known.width = entry.contentRect.width;
        known.height = entry.contentRect.height;
        known.changed();
    }
});

/// Keeps the size of a canvas known without asking the layout at every frame; `changed` runs when it is another.
export function watchCanvas(canvas, changed) {
    sizes.set(canvas, {width: 0, height: 0, changed});
    observer.observe(canvas);
}

export function unwatchCanvas(canvas) {
    observer.unobserve(canvas);
    sizes.delete(canvas);
}

/// The context of a watched canvas in CSS pixels, cleared; null while it has no size. Never more than `widest` pixels of its own.
export function begin(canvas, widest = Infinity) {
    const size = sizes.get(canvas);
    if (!size || size.width < 1 || size.height < 1) return null;
    const scale = Math.min(window.devicePixelRatio || 1, widest / size.width);
    const width = Math.round(size.width * scale);
    const height = Math.round(size.height * scale);
    if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
    }
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    return {context, width: size.width, height: size.height, scale};
}
