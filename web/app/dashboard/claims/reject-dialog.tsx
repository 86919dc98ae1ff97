import { FINAL_REASONS, RejectionReason } from '#contract/claims/claim-history.ts'
import { MAX_REJECTION_TEXT_LENGTH } from '#contract/dashboard/review.ts'
import { DECIDE } from '#messages/dashboard-review.js'
import type { FormValues } from '#web/features/forms/form.tsx'
import { Select } from '#web/ui/forms/select.tsx'
import { pastePlain } from '#web/ui/forms/paste-plain.ts'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { keptChoice, keptText } from '../ui/kept-text.ts'
import type { Rejection } from './use-decisions.ts'

type RejectDialogProps = {
  /** Describes what is rejected; null while the dialog is closed. */
  target: string | null
  /** The key under which the typed reason is kept if the session ends. */
  about: string
  /** Whether a whole cluster is rejected, which needs a final reason. */
  isCluster: boolean
  isPending: boolean
  errors: Readonly<Record<string, string>>
  onConfirm: (rejection: Rejection) => void
  onClose: () => void
}

export function RejectDialog(props: RejectDialogProps) {
  const { target, about, isCluster, isPending, errors, onConfirm, onClose } = props
  const reasons = isCluster ? FINAL_REASONS : RejectionReason.options
  const submit = ({ reason, text = '' }: FormValues) =>
    onConfirm({ reason: RejectionReason.parse(reason), text: text.trim() })
  return (
    <FormDialog
      open={target !== null}
      title={DECIDE.rejectTitle({ who: target ?? '' })}
      submitLabel={DECIDE.reject}
      isPending={isPending}
      onValues={submit}
      onClose={onClose}
    >
      {isCluster && <p>{DECIDE.clusterHint}</p>}
      <Select
        label={DECIDE.reason}
        name="reason"
        choices={Object.fromEntries(reasons.map((code) => [code, DECIDE.reasons[code]]))}
        {...keptChoice(`${about}, reason`)}
      />
      <TextArea
        label={DECIDE.text}
        hint={isCluster ? DECIDE.textHintFinal : DECIDE.textHint}
        error={errors['text']}
        name="text"
        rows={4}
        maxLength={MAX_REJECTION_TEXT_LENGTH}
        onPaste={pastePlain}
        {...keptText(about)}
      />
    </FormDialog>
  )
}
