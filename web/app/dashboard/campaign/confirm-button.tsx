import { useState } from 'react'
import type { CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { CAMPAIGN_LIFE } from '#messages/dashboard-campaign-life.js'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import type { StateReply } from '../api/use-change.ts'
import { useLifeChange } from './use-life.ts'

type ConfirmButtonProps = {
  variant: 'secondary' | 'quiet'
  disabled?: boolean
  /** The text of this button and of the one that submits the dialog. */
  label: string
  title: string
  lead: string
  campaignId: string
  /** @param campaign the id that was typed. */
  send: (campaign: string) => Promise<StateReply<CampaignLife>>
}

/** Asks for the campaign's id before something that cannot be undone. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { variant, disabled, label, title, lead, campaignId, send } = props
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const change = useLifeChange(send, close)
  const open = () => {
    // A reset would hide a call that is still pending.
    if (!change.isPending) change.reset()
    setAsking(true)
  }
  return (
    <div>
      <Button variant={variant} disabled={disabled} onClick={open}>
        {label}
      </Button>
      <FormDialog
        open={isAsking}
        title={title}
        submitLabel={label}
        isPending={change.isPending}
        onValues={({ campaign = '' }) => change.mutate(campaign)}
        onClose={close}
      >
        <p>{lead}</p>
        <Field
          label={CAMPAIGN_LIFE.confirm({ id: campaignId })}
          name="campaign"
          required
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          error={change.errors['campaign']}
        />
      </FormDialog>
    </div>
  )
}
