// A line that says what happened, and goes after a while; refusals stay longer.
import {h} from './dom.js';

const most = 3;

export function say(text, kind = 'info') {
    const toasts = document.getElementById('toasts');
    const toast = h('div', {class: 'toast', 'data-kind': kind}, h('span', {}, text),
        h('button', {type: 'button', class: 'toast-close', 'aria-label': 'Close this message', onclick: () => toast.remove()}, '×'));
    toasts.append(toast);
    while (toasts.children.length > most) toasts.firstChild.remove();
    setTimeout(() => toast.remove(), kind === 'bad' ? 9000 : 2500);
}
