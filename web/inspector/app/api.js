// What the page asks of the program, and the token that it shows when it has one.
const tokenKey = 'lido.token';
let token = takeToken();

/// From #token=…, which then leaves the address bar; else what this tab was given before.
function takeToken() {
    const given = /(?:^#|&)token=([^&]+)/.exec(location.hash);
    if (given) {
        const found = decodeURIComponent(given[1]);
        keep(found);
        history.replaceState(null, '', `${location.pathname}${location.search}#/`);
        return found;
    }
    try {
        return sessionStorage.getItem(tokenKey) ?? '';
    } catch {
        return '';
    }
}

function keep(value) {
    try {
        if (value) sessionStorage.setItem(tokenKey, value);
        else sessionStorage.removeItem(tokenKey);
    } catch {
        // storage may be forbidden; then the token lives as long as the page
    }
}

export function hasToken() {
    return token !== '';
}

export function setToken(value) {
    token = value;
    keep(value);
}

/// A fragment like #token=… that arrives while the page is open (a link that was pasted over it).
export function takeLateToken() {
    if (!/(?:^#|&)token=/.test(location.hash)) return false;
    token = takeToken();
    return true;
}

export class Refusal extends Error {
    constructor(status, message) {
        super(message);
        this.status = status;
    }
}

function authorisation() {
    return token ? {Authorization: `Bearer ${token}`} : {};
}

async function answerOf(response) {
    let answer = null;
    try {
        answer = await response.json();
    } catch {
        // an answer that is no JSON has nothing to say beyond its status
    }
    if (!response.ok) throw new Refusal(response.status, answer?.error ?? `the answer was ${response.status}`);
    return answer;
}

/// Throws Refusal when the program says no, and TypeError when it does not answer.
export async function get(path) {
    return answerOf(await fetch(`api/v1/${path}`, {headers: authorisation(), cache: 'no-store'}));
}

export async function post(command, value) {
    return answerOf(await fetch('api/v1/control', {
        method: 'POST',
        headers: {'Content-Type': 'application/json', ...authorisation()},
        body: JSON.stringify({command, value}),
    }));
}

/// An EventSource can send no header, so a program that wants the token everywhere gets it in the query.
export function stream(path, tokenForAll) {
    return new EventSource(`api/v1/${path}${tokenForAll && token ? `?token=${encodeURIComponent(token)}` : ''}`);
}
