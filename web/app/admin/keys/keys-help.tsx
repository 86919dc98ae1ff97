import { KEYS } from '#web/content/review.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Lists the keyboard shortcuts. */
export function KeysHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title={KEYS.help} onClose={onClose}>
      <p className="text-ink-soft">{KEYS.lead}</p>
      <dl className="divide-y divide-hairline border-y border-hairline">
        {KEYS.list.map(([key, what]) => (
          <div key={key} className="flex items-center justify-between gap-4 py-2">
            <dt>
              <kbd className="inline-grid min-w-8 place-items-center rounded-sm border border-outline px-2 py-0.5 font-bold">
                {key}
              </kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Button variant="secondary" onClick={onClose}>
        {KEYS.close}
      </Button>
    </Dialog>
  )
}
