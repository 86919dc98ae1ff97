import { useState } from 'react'
import { KEYS } from '#web/content/review.ts'
import { store, stored } from '#web/features/session/storage.ts'
import { Button } from '#web/ui/button.tsx'

/** Whether the list hears its shortcuts; kept in this browser. On until somebody switches them off. */
export function useKeysSwitch(): [on: boolean, change: (on: boolean) => void] {
  const [on, setOn] = useState(() => stored('deskKeys') !== 'off')
  return [
    on,
    (next) => {
      store('deskKeys', next ? 'on' : 'off')
      setOn(next)
    },
  ]
}

type KeysSwitchProps = { on: boolean; onSwitch: (on: boolean) => void; onHelp: () => void }

/** Switches the shortcuts, and tells what they are; not where there is but a thumb; a keyboard may have no mouse beside it. */
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
