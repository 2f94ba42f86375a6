// Controls: what the program lets the page do. Every one needs the token, and says when it was refused.
import {Refusal, hasToken, post, setToken} from './api.js';
import {h} from './dom.js';
import {connectNow} from './feed.js';
import {changed, store} from './store.js';
import {say} from './toast.js';

export function command(name) {
    return store.hello?.commands?.find((known) => known.name === name) ?? null;
}

let asking = null;

/// The token that somebody typed, or '' when they did not want to. One dialog at a time.
export function askToken(why) {
    asking ??= new Promise((resolve) => {
        const input = h('input', {type: 'password', name: 'token', autocomplete: 'off', spellcheck: 'false', required: true, 'aria-label': 'Token'});
        const dialog = h('dialog', {class: 'dialog', 'aria-labelledby': 'token-title'},
            h('form', {method: 'dialog'},
              h('h2', {id: 'token-title'}, 'Token'),
              h('p', {}, why),
              h('p', {class: 'note'}, 'The program printed it when it started. It stays in this tab.'),
              input,
              h('div', {class: 'dialog-buttons'},
                h('button', {type: 'button', class: 'button', onclick: () => dialog.close('')}, 'Cancel'),
                h('button', {type: 'submit', class: 'button main', value: 'ok'}, 'Use it'))));
        dialog.addEventListener('close', () => {
            asking = null;
            const given = dialog.returnValue === 'ok' ? input.value.trim() : '';
            dialog.remove();
            if (given) setToken(given);
            resolve(given);
        });
        document.body.append(dialog);
        dialog.showModal();
    });
    return asking;
}

/// True when the program did it. `quiet`: say nothing when it did.
export async function send(name, value = null, quiet = false) {
    const label = command(name)?.label ?? name;
    if (store.hello?.token_needed && !hasToken()) {
        if (!await askToken(`"${label}" acts on the running program, and that needs its token.`)) {
            say(`${label} was not sent: there is no token.`, 'bad');
            return false;
        }
    }
    try {
        const answer = await post(name, value);
        if (name === 'pause') store.paused = Boolean(value);
        if (!quiet && answer?.said) say(answer.said);
        changed();
        return true;
    } catch (error) {
        if (!(error instanceof Refusal)) {
            say(`${label} was not done: the program does not answer.`, 'bad');
            return false;
        }
        if (error.status === 401 || error.status === 403) setToken('');
        say(`${label} was refused: ${error.message}`, 'bad');
        return false;
    }
}

/// A program that wants the token for reading too said no: ask, and connect again.
export async function askForReading() {
    if (await askToken('This program shows nothing without its token.')) connectNow();
}

export function togglePause() {
    if (command('pause')) send('pause', !store.paused);
}

/// At most `aSecond` calls, and always the last one; a call waits for the answer to the one before.
export function limited(aSecond, act) {
    let waiting = null;
    let busy = false;
    let last = 0;
    async function run() {
        busy = true;
        while (waiting) {
            const wait = last + 1000 / aSecond - performance.now();
            if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
            const [value] = waiting;
            waiting = null;
            last = performance.now();
            if (!await act(value)) break;
        }
        waiting = null;
        busy = false;
    }
    return (value) => {
        waiting = [value];
        if (!busy) run();
    };
}

/// For a program that has controls and no view of its own to put them beside.
export function controlsPage() {
    const rows = h('div', {class: 'controls-rows'});
    const element = h('div', {class: 'page'}, h('section', {class: 'panel', 'aria-label': 'Controls'}, h('h1', {}, 'Controls'), rows));
    let built = '';
    function update() {
        const state = JSON.stringify(store.hello?.commands ?? []);
        if (state === built) return;
        built = state;
        rows.replaceChildren(...(store.hello?.commands ?? []).map((known) => controlOf(known)));
    }
    update();
    return {element, title: 'Controls', update, close() {}, keys: {}};
}

function labelled(label, ...controls) {
    return h('div', {class: 'control-row'}, h('span', {class: 'control-label'}, label), h('span', {class: 'joined'}, controls));
}

/// What a command looks like when no page knows it by name.
export function controlOf(known, verb = 'Set') {
    const {name, label = name, kind, min, max, choices = []} = known;
    const button = (text, act, more = {}) => h('button', {type: 'button', class: 'button', 'data-command': name, onclick: act, ...more}, text);
    if (kind === 'switch') {
        let on = name === 'pause' && store.paused;
        const toggle = button(label, async () => {
            if (await send(name, !on)) on = !on;
            toggle.setAttribute('aria-pressed', String(on));
        }, {'aria-pressed': 'false'});
        return toggle;
    }
    if (kind === 'number') {
        const input = h('input', {type: 'number', min, max, step: 'any', class: 'number-input', 'aria-label': label, 'data-input': name});
        const act = () => input.value !== '' && input.reportValidity() && send(name, Number(input.value));
        input.addEventListener('keydown', (event) => event.key === 'Enter' && act());
        return labelled(label, input, button(verb, act));
    }
    if (kind === 'choice') {
        const choice = h('select', {'aria-label': label, 'data-input': name}, choices.map((text) => h('option', {}, text)));
        return labelled(label, choice, button(verb, () => send(name, choice.value)));
    }
    return button(label, () => send(name));
}
