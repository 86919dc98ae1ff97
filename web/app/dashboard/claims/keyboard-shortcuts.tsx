import { useState, type KeyboardEvent } from 'react'
import { KEYS } from '#messages/dashboard-review.js'
import { store, readStored } from '#web/features/session/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Whether keyboard shortcuts are on, which is the default. Stored by the dashboard's old name, “desk”. */
export function useShortcutsSwitch(): [isOn: boolean, change: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => readStored('deskKeys') !== 'off')
  const change = (next: boolean) => {
    store('deskKeys', next ? 'on' : 'off')
    setOn(next)
  }
  return [isOn, change]
}

type ShortcutsSwitchProps = { isOn: boolean; onSwitch: (isOn: boolean) => void; onHelp: () => void }

/** Turns the shortcuts on and off, and opens their help. Hidden if the main pointer is coarse. */
export function ShortcutsSwitch({ isOn, onSwitch, onHelp }: ShortcutsSwitchProps) {
  return (
    <div className="flex items-center justify-end gap-4 text-sm pointer-coarse:hidden">
      <label className="inline-flex min-h-11 cursor-pointer items-center gap-2">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => onSwitch(target.checked)}
          className="size-4.5"
        />
        {KEYS.toggle}
      </label>
      <Button size="compact" variant="quiet" onClick={onHelp}>
        {KEYS.helpKey}
      </Button>
    </div>
  )
}

type Shortcut = keyof typeof KEYS.actions

const SHORTCUTS: Readonly<Record<string, Shortcut>> = {
  j: 'next',
  k: 'previous',
  o: 'open',
  v: 'verify',
  r: 'reject',
  u: 'undo',
  x: 'select',
  '?': 'help',
}

/** @returns a handler for keys in the list, which ignores text fields and keys with modifiers. */
export function makeKeyHandler(actions: Readonly<Record<Shortcut, () => unknown>>) {
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target, repeat } = event
    const shortcut = SHORTCUTS[key]
    if (!shortcut || ctrlKey || metaKey || altKey) return
    if (target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select'))
      return
    // Auto-repeat only repeats navigation.
    if (repeat && shortcut !== 'next' && shortcut !== 'previous') return
    event.preventDefault()
    actions[shortcut]()
  }
}

export function ShortcutsHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title={KEYS.help} onClose={onClose}>
      <p className="text-ink-soft">{KEYS.lead}</p>
      <dl className="divide-y divide-hairline border-y border-hairline">
        {Object.entries(SHORTCUTS).map(([key, shortcut]) => (
          <div key={key} className="flex items-center justify-between gap-4 py-2">
            <dt>
              <kbd className="inline-grid min-w-8 place-items-center rounded-sm border border-outline px-2 py-0.5 font-bold">
                {key}
              </kbd>
            </dt>
            <dd>{KEYS.actions[shortcut]}</dd>
          </div>
        ))}
      </dl>
      <Button variant="secondary" onClick={onClose}>
        {KEYS.close}
      </Button>
    </Dialog>
  )
}
