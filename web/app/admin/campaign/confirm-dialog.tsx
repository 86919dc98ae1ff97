import type { ComponentProps } from 'react'
import { CAMPAIGN_LIFE } from '#messages/dashboard-campaign-life.js'
import { Field } from '#web/ui/forms/field.tsx'
import { FormDialog } from '../form-dialog.tsx'

type ConfirmProps = Omit<ComponentProps<typeof FormDialog>, 'onValues'> & {
  id: string
  lead: string
  error: string | undefined
  onConfirm: (typed: string) => void
}

/** Asks for the campaign's id before something that cannot be undone. */
export function ConfirmDialog({ id, lead, error, onConfirm, ...dialog }: ConfirmProps) {
  return (
    <FormDialog {...dialog} onValues={({ campaign = '' }) => onConfirm(campaign)}>
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
    </FormDialog>
  )
}
