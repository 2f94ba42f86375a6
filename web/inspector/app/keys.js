// The keyboard: the keys of the page that is open, then those that work everywhere.
import {togglePause} from './control.js';
import {h} from './dom.js';

const help = [
    ['Everywhere', [['1 2 3 4', 'overview, events, arena or controls, entities'], ['Space', 'pause or resume the program'], ['Esc', 'back'], ['t', 'colours'], ['?', 'this help']]],
    ['Pools', [['j k', 'next and previous pool'], ['Enter', 'open it'], ['/', 'filter']]],
    ['Entities', [['j k', 'next and previous entity'], ['Enter', 'open it'], ['n p', 'next page, page before'], ['/', 'search']]],
    ['Map of a pool', [['+ −', 'zoom; the wheel too'], ['0', 'all slots'], ['arrows', 'move, when the map has the focus; or drag it']]],
    ['Arena', [['← →', 'a tick back or on; with Shift ten'], ['Home End', 'oldest, newest tick'], ['s', 'one step']]],
];

export function showHelp() {
    if (document.querySelector('dialog[open]')) return;
    const dialog = h('dialog', {class: 'dialog help', 'aria-labelledby': 'help-title'},
        h('form', {method: 'dialog'}, h('h2', {id: 'help-title'}, 'Keyboard'),
          h('div', {class: 'help-groups'}, help.map(([title, keys]) => h('section', {}, h('h3', {}, title),
            h('dl', {}, keys.map(([key, text]) => h('div', {}, h('dt', {}, key.split(' ').map((one) => h('kbd', {}, one))), h('dd', {}, text))))))),
          h('div', {class: 'dialog-buttons'}, h('button', {class: 'button main', autofocus: true}, 'Close'))));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
}

/// view(): the open page; go(hash): another one; back(): what Esc does.
export function startKeys({view, go, back, theme}) {
    const everywhere = {
        1: () => go('#/'),
        2: () => go('#/events'),
        3: () => document.querySelector('#tabs a[href="#/arena"], #tabs a[href="#/controls"]')?.click(),
        4: () => document.querySelector('#tabs a[href^="#/stage/"]')?.click(),
        t: theme,
        '?': showHelp,
        Escape: back,
        ' ': togglePause,
    };
    document.addEventListener('keydown', (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
        if (document.querySelector('dialog[open]')) return;
        const {target, key} = event;
        const types = target.matches('input:not([type=range]), select, textarea');
        if (types) {
            if (key === 'Escape') target.blur();
            return;
        }
        if (key === ' ' && target.matches('button, summary')) return;  // space presses it
        if (target.matches('.map-canvas') && /^(Arrow|Home|End|Page)/.test(key)) return;
        const act = view()?.keys?.[key] ?? everywhere[key];
        if (!act) return;
        event.preventDefault();
        act(event);
    });
}
