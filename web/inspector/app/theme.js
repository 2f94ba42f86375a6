// Light or dark: as the system says, or as the switch was left. A classic script, so that it runs before the first paint.
(function () {
    'use strict';
    const key = 'lido.theme';
    const order = ['system', 'light', 'dark'];

    function read() {
        try {
            const kept = localStorage.getItem(key);
            return order.includes(kept) ? kept : 'system';
        } catch {
            return 'system';  // storage may be forbidden; then nothing is remembered
        }
    }

    function apply(theme) {
        if (theme === 'system') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
    }

    function set(theme) {
        try {
            localStorage.setItem(key, theme);
        } catch {
            // as above
        }
        apply(theme);
        window.dispatchEvent(new Event('lido-theme'));
    }

    apply(read());
    window.lidoTheme = {read, next: () => set(order[(order.indexOf(read()) + 1) % order.length])};
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
        window.dispatchEvent(new Event('lido-theme'));
    });
})();
