import { BULK_LIMIT } from '#contract/review.ts'
import { DECIDE } from '#web/content/review.ts'
import { Button } from '#web/ui/button.tsx'

type BulkBarProps = {
  count: number
  pending: boolean
  onVerify: () => void
  onReject: () => void
  onClear: () => void
}

/** Actions on the selected claims; sticks to the bottom while the list scrolls. */
export function BulkBar({ count, pending, onVerify, onReject, onClear }: BulkBarProps) {
  if (count === 0) return null
  const isTooMany = count > BULK_LIMIT
  return (
    <div className="sticky bottom-3 z-10 mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-ink bg-sheet px-4 py-2.5 text-sm">
      <p aria-live="polite" className="me-auto font-semibold">
        {DECIDE.selected(count)}
      </p>
      <Button size="compact" variant="secondary" pending={pending} disabled={isTooMany} onClick={onVerify}>
        {DECIDE.verifySelected}
      </Button>
      <Button size="compact" variant="secondary" pending={pending} disabled={isTooMany} onClick={onReject}>
        {DECIDE.rejectSelected}
      </Button>
      <Button size="compact" variant="quiet" onClick={onClear}>
        {DECIDE.clear}
      </Button>
    </div>
  )
}
