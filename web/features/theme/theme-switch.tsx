import { useSyncExternalStore } from 'react'
import { LAYOUT } from '#web/content/layout.ts'
import { THEMES, chooseTheme, chosenTheme, onThemeChange } from './theme.ts'

/** Choice between light, dark and the system's theme. */
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
          className="min-h-11 px-3.5 aria-pressed:bg-ink aria-pressed:text-paper"
        >
          {LAYOUT.themes[theme]}
        </button>
      ))}
    </div>
  )
}
