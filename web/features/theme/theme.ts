export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'theme'
const changed = new EventTarget()

/** The theme that this page shows because somebody chose it; `system` when nobody did. */
export function chosenTheme(): Theme {
  const shown = document.documentElement.dataset['theme']
  return shown === 'light' || shown === 'dark' ? shown : 'system'
}

/** Shows a theme at once and keeps it for later visits; `/head.js` applies it before the next first paint. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage is closed to us: the choice lasts as long as this page.
  }
  changed.dispatchEvent(new Event('change'))
}

/** Calls back after every choice; returns how to stop. */
export function onThemeChange(listener: () => void): () => void {
  changed.addEventListener('change', listener)
  return () => changed.removeEventListener('change', listener)
}
