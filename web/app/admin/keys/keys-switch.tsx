import { useState } from 'react'
import { KEYS } from '#web/content/review.ts'
import { store, readStored } from '#web/features/session/storage.ts'
import { Button } from '#web/ui/button.tsx'

/** Whether keyboard shortcuts are enabled; stored in the browser, on by default. */
export function useKeysSwitch(): [on: boolean, change: (on: boolean) => void] {
  const [on, setOn] = useState(() => readStored('deskKeys') !== 'off')
  return [
    on,
    (next) => {
      store('deskKeys', next ? 'on' : 'off')
      setOn(next)
    },
  ]
}

type KeysSwitchProps = { on: boolean; onSwitch: (on: boolean) => void; onHelp: () => void }

/** Toggles the shortcuts and opens their help; hidden where the primary pointer is coarse. */
export function KeysSwitch({ on, onSwitch, onHelp }: KeysSwitchProps) {
  return (
    <div className="flex items-center justify-end gap-4 text-sm pointer-coarse:hidden">
      <label className="inline-flex min-h-11 cursor-pointer items-center gap-2">
        <input
          type="checkbox"
          checked={on}
          onChange={({ target }) => onSwitch(target.checked)}
          className="size-4.5"
        />
        {KEYS.toggle}
      </label>
      <Button size="compact" variant="quiet" onClick={onHelp}>
        {KEYS.help} (?)
      </Button>
    </div>
  )
}
