// The page: which view is open, the header, and what is said about the connection.
import {takeLateToken} from './api.js';
import {arenaPage} from './arena.js';
import {askForReading, controlsPage} from './control.js';
import {h, setFlag, setText} from './dom.js';
import {entityPage} from './entity.js';
import {eventsPage} from './events.js';
import {connectNow, startFeed} from './feed.js';
import {ago, clock, plural, short, whole} from './format.js';
import {showHelp, startKeys} from './keys.js';
import {overview, remember} from './overview.js';
import {poolPage} from './pool.js';
import {stagePage} from './stage.js';
import {changed, onChange, store} from './store.js';
import {worldPage} from './world.js';

const main = document.getElementById('main');
let view = null;
let opened = null;

// --- pages -----------------------------------------------------------------------------------------------------------

/// Of #/stage/0 and #/stage/0/gate-1. An id that was not written by this page may be no text.
function pageOfStage(stage, id) {
    if (!id) return () => stagePage(stage);
    try {
        const text = decodeURIComponent(id);
        return () => entityPage(stage, text);
    } catch {
        return () => stagePage(stage);
    }
}

function pageOf(hash) {
    const [, stage, entity] = /^#\/stage\/(\d+)(?:\/(.*))?$/.exec(hash) ?? [];
    if (stage) return pageOfStage(Number(stage), entity);
    const [, kind, id] = /^#\/(?:(pool|world)\/(\d+)|.*)$/.exec(hash) ?? [];
    if (kind === 'pool') return () => {
        remember(Number(id));
        return poolPage(Number(id));
    };
    if (kind === 'world') return () => worldPage(Number(id));
    if (hash === '#/events') return eventsPage;
    if (hash === '#/arena') return arenaPage;
    if (hash === '#/controls') return controlsPage;
    return overview;
}

function route() {
    if (takeLateToken()) connectNow();
    if (location.hash === '#main') return;  // the link that skips the header
    const hash = location.hash || '#/';
    if (hash === opened) return;
    const first = opened === null;
    opened = hash;
    view?.close();
    view = pageOf(hash)();
    main.replaceChildren(view.element);
    main.dataset.page = hash;
    window.scrollTo(0, 0);
    if (!first) (view.focus ?? (() => main.focus({preventScroll: true})))();
    updateTabs();
    changed();
}

const tabs = document.getElementById('tabs');
const misuseBadge = h('span', {class: 'tab-badge', id: 'misuse-badge', role: 'img', hidden: true});
function updateTabs() {
    const wanted = [['#/', 'Overview'], ['#/events', 'Events']];
    if (store.hello?.views?.includes('arena')) wanted.push(['#/arena', 'Arena']);
    else if (store.hello?.commands?.length) wanted.push(['#/controls', 'Controls']);
    const [stage] = store.stages.keys();
    const entities = stage === undefined ? '' : `#/stage/${stage}`;
    if (entities) wanted.push([entities, 'Entities']);
    const key = wanted.map(([hash]) => hash).join();
    if (tabs.dataset.key !== key) {
        tabs.dataset.key = key;
        tabs.replaceChildren(...wanted.map(([hash, name]) => h('a', {href: hash}, name)));
        tabs.querySelector('[href="#/events"]').append(misuseBadge);
    }
    const {all} = store.misuse;
    misuseBadge.hidden = all === 0;
    if (all > 0) {
        setText(misuseBadge, short(all));
        misuseBadge.title = `${plural(all, 'report')} of misuse`;
        misuseBadge.setAttribute('aria-label', misuseBadge.title);
    }
    for (const tab of tabs.children) {
        const hash = tab.getAttribute('href');
        const shown = opened?.startsWith('#/stage/') ? entities : opened;
        const here = hash === '#/' ? !['#/events', '#/arena', '#/controls', entities || '#/'].includes(shown) || shown === '#/' : hash === shown;
        if (here) tab.setAttribute('aria-current', 'page');
        else tab.removeAttribute('aria-current');
    }
}

// --- the connection -----------------------------------------------------------------------------------------------------

const status = document.getElementById('status');
const statusText = document.getElementById('status-text');
const statusTick = document.getElementById('status-tick');
const gone = document.getElementById('gone');

function updateStatus() {
    const {state, since, reason, next} = store.link;
    const names = {connecting: 'Connecting', live: 'Live', quiet: 'Standing still', gone: 'Gone'};
    status.dataset.state = state;
    setText(statusText, names[state]);
    setText(statusTick, store.hello ? `tick ${whole(store.tick)}` : '');
    setText(document.getElementById('program'), store.hello?.program ?? '');
    const silent = state === 'gone' || state === 'quiet';
    setFlag(document.body, 'data-gone', state === 'gone');
    if (gone.hidden === silent) gone.hidden = !silent;
    if (state === 'gone') {
        const wait = next ? Math.max(0, Math.ceil((next - Date.now()) / 1000)) : 0;
        const who = store.hello ? 'The program has gone' : 'No program';
        say(`${who}: ${reason}.`, `Since ${clock(since)}, ${ago(Date.now() - since)} ago. ${wait > 0 ? `Next attempt in ${wait} s.` : 'Connecting…'}`);
    } else if (state === 'quiet') {
        say('The program stands still: it takes no samples.', `Since ${clock(since)}, for ${ago(Date.now() - since)}. A breakpoint, perhaps.`);
    }
}

const goneWhat = h('b', {});
const goneSince = h('span', {});
const goneToken = h('button', {type: 'button', class: 'button', hidden: true, onclick: askForReading}, 'Enter the token');
const goneRetry = h('button', {type: 'button', class: 'button', onclick: connectNow}, 'Try now');
gone.append(goneWhat, goneSince, goneToken, goneRetry);

function say(what, since) {
    setText(goneWhat, what);
    setText(goneSince, since);
    goneToken.hidden = !/token/i.test(what);
    goneRetry.hidden = store.link.state !== 'gone';
}

// --- the switch of colours ---------------------------------------------------------------------------------------------------

const themeButton = document.getElementById('theme');
function showTheme() {
    const theme = window.lidoTheme.read();
    const [sign, name] = {system: ['◐', 'as the system'], light: ['☀', 'light'], dark: ['☾', 'dark']}[theme];
    setText(themeButton, sign);
    themeButton.setAttribute('aria-label', `Colours: ${name}`);
    themeButton.title = `Colours: ${name} (t)`;
    changed();
}
function nextTheme() {
    window.lidoTheme.next();
}
window.addEventListener('lido-theme', showTheme);
themeButton.addEventListener('click', nextTheme);
document.getElementById('help').addEventListener('click', showHelp);

// --- begin -----------------------------------------------------------------------------------------------------------------

onChange(() => {
    updateStatus();
    updateTabs();
    view?.update();
    const title = [view?.title, store.hello?.program, 'lido'].filter(Boolean).join(' · ');
    if (document.title !== title) document.title = title;
});
startKeys({
    view: () => view,
    go: (hash) => { location.hash = hash; },
    back: () => { if (opened !== '#/') location.hash = '#/'; },
    theme: nextTheme,
});
window.addEventListener('hashchange', route);
showTheme();
route();
startFeed();
