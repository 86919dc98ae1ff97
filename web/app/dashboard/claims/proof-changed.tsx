import { DASHBOARD } from '#messages/dashboard-frame.js'
import { PROOF_TEXTS } from '#messages/proof.js'
import { CHANGED } from '#messages/dashboard-review.js'
import { PROOF_FIELDS } from '#web/features/claim/proof.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { ReviewRowView } from './review-row.ts'

type ProofChangedProps = {
  /** Null if nothing has changed. */
  change: { before: ReviewRowView; now: ReviewRowView } | null
  onAccept: (now: ReviewRowView) => void
  onClose: () => void
}

/** What a participant changed since the reviewer loaded the claim, old beside new. */
export function ProofChanged({ change, onAccept, onClose }: ProofChangedProps) {
  return (
    <Dialog open={change !== null} title={CHANGED.title} onClose={onClose} className="wrap-anywhere">
      {change && (
        <>
          <p>{CHANGED.lead({ username: change.now.username })}</p>
          <dl className="divide-y divide-hairline border-y border-hairline text-sm">
            {PROOF_FIELDS.map((name) => (
              <Field
                key={name}
                label={PROOF_TEXTS[name].label}
                before={change.before[name]}
                now={change.now[name]}
              />
            ))}
          </dl>
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => onAccept(change.now)}>{CHANGED.look}</Button>
            <Button variant="secondary" onClick={onClose}>
              {CHANGED.later}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function Field({ label, before, now }: { label: string; before: string; now: string }) {
  const isSame = before === now
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-1 py-3">
      <dt className="col-span-2 font-semibold">
        {label}
        {isSame && <span className="font-normal text-ink-soft"> {CHANGED.same}</span>}
      </dt>
      {isSame ? (
        <dd dir="auto" className="col-span-2 text-ink-soft">
          {now || DASHBOARD.none}
        </dd>
      ) : (
        <>
          <dd>
            <span className="block text-xs text-ink-soft">{CHANGED.before}</span>
            <del dir="auto" className="block text-ink-soft no-underline">
              {before || DASHBOARD.none}
            </del>
          </dd>
          <dd>
            <span className="block text-xs text-ink-soft">{CHANGED.now}</span>
            <ins dir="auto" className="block font-semibold no-underline">
              {now || DASHBOARD.none}
            </ins>
          </dd>
        </>
      )}
    </div>
  )
}
