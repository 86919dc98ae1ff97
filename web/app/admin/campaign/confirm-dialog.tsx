import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { CAMPAIGN_LIFE } from '#messages/dashboard-campaign-life.js'
import { Form } from '#web/features/forms/form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogActions } from '#web/ui/forms/dialog-actions.tsx'
import { Field } from '#web/ui/forms/field.tsx'

type ConfirmProps = {
  open: boolean
  onClose: () => void
  id: string
  title: string
  lead: string
  yes: string
  pending: boolean
  error: string | undefined
  onConfirm: (typed: string) => void
}

/** Asks for the campaign's id before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmProps) {
  const { open, onClose, id, title, lead, yes, pending, error, onConfirm } = props
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <Form onValues={({ campaign = '' }) => onConfirm(campaign)} className="grid gap-5">
        <p>{lead}</p>
        <Field
          label={CAMPAIGN_LIFE.confirm({ id })}
          name="campaign"
          required
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          error={error}
        />
        <DialogActions yes={yes} cancel={DASHBOARD_WORDS.cancel} pending={pending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
