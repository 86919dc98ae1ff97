import { useSyncExternalStore } from 'react'
import { LAYOUT } from '#messages/layout.js'

export function ThemeSwitch() {
  const chosen = useSyncExternalStore(onThemeChange, chosenTheme, () => 'system')
  return (
    <div role="group" aria-label={LAYOUT.theme} className="theme-switch needs-script">
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          aria-pressed={theme === chosen}
          onClick={() => chooseTheme(theme)}
          className="min-h-11 px-3.5 max-[15rem]:px-1 aria-pressed:bg-ink aria-pressed:text-paper"
        >
          {LAYOUT.themes[theme]}
        </button>
      ))}
    </div>
  )
}

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const STORAGE_KEY = 'theme'
const themeChanges = new EventTarget()

function chosenTheme(): Theme {
  const theme = document.documentElement.dataset['theme']
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies and stores a theme. `/head.js` applies it to the next page before the first paint. */
function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
  themeChanges.dispatchEvent(new Event('change'))
}

/** Also on `pageshow`: `/head.js` applies a theme chosen while the page was in the back/forward cache. */
function onThemeChange(listener: () => void): () => void {
  themeChanges.addEventListener('change', listener)
  addEventListener('pageshow', listener)
  return () => {
    themeChanges.removeEventListener('change', listener)
    removeEventListener('pageshow', listener)
  }
}
