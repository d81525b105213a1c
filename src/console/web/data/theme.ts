const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'parley-theme';

/** The theme that is shown. */
export const theme = (): Theme =>
  THEMES.find((one) => one === document.documentElement.dataset['theme']) ?? 'system';

/** Shows the theme that this browser keeps. */
export function showKeptTheme(): void {
  try {
    show(localStorage.getItem(KEPT));
  } catch {
    // This browser keeps nothing.
  }
}

/** Shows the next theme, and keeps it for the next time. */
export function nextTheme(): void {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]!;
  show(next);
  try {
    localStorage.setItem(KEPT, next);
  } catch {
    // This browser keeps nothing.
  }
}

function show(named: string | null): void {
  document.documentElement.dataset['theme'] = THEMES.find((one) => one === named) ?? 'system';
}
