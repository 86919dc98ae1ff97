import {
  addSlots,
  type CampaignLife,
  closeCampaign,
  extendCampaign,
} from '#contract/dashboard/campaign-life.ts'
import { CAMPAIGN_LIFE } from '#messages/dashboard-campaign-life.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { call } from '#web/features/api/call.ts'
import { Form } from '#web/features/forms/form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { RichText } from '#web/ui/text/rich-text.tsx'
import { ScreenLink } from '../../screen-link.tsx'
import { DashboardSection } from '../dashboard-screen.tsx'
import { fromLocal, toLocal } from '../settings/values.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { useLifeChange } from './use-life.ts'

export function DatesSection({ life }: { life: CampaignLife }) {
  return (
    <DashboardSection title={CAMPAIGN_LIFE.dates}>
      <p className="max-w-prose text-ink-soft">
        <RichText text={leadOf(life)} tags={{ link: SETTINGS_LINK }} />
      </p>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {/* Keyed separately, so that a change of one keeps what is typed into the other. */}
        {life.closesAt !== null && <Extension key={life.closesAt} closesAt={life.closesAt} />}
        <MoreSlots key={life.slots.total} total={life.slots.total} />
      </div>
      {life.stage !== 'before' && (
        <ConfirmButton
          variant="quiet"
          label={CAMPAIGN_LIFE.close}
          title={CAMPAIGN_LIFE.closeTitle}
          lead={CAMPAIGN_LIFE.closeLead}
          campaignId={life.id}
          send={(campaign) => call(closeCampaign, { body: { campaign } })}
        />
      )}
    </DashboardSection>
  )
}

const SETTINGS_LINK = <ScreenLink href={DASHBOARD_ROUTES.settings.path} className="text-link" />

function leadOf({ stage, closesAt }: CampaignLife): string {
  if (stage === 'before') return CAMPAIGN_LIFE.datesLeadBefore
  return closesAt === null ? CAMPAIGN_LIFE.datesLeadNoEnd : CAMPAIGN_LIFE.datesLead
}

function Extension({ closesAt }: { closesAt: string }) {
  const { mutate, isPending, errors } = useLifeChange((localTime: string) =>
    call(extendCampaign, { body: { closesAt: fromLocal(localTime) ?? '' } }),
  )
  return (
    // An error is at the setting's path, such as `airdrop.closesAt`, or for a malformed date at the field.
    <Form onValues={({ closesAt: localTime = '' }) => mutate(localTime)} className="grid content-start gap-4">
      <Field
        label={CAMPAIGN_LIFE.closesAt}
        hint={CAMPAIGN_LIFE.closesAtHint}
        name="closesAt"
        type="datetime-local"
        required
        min={toLocal(closesAt)}
        defaultValue={toLocal(closesAt)}
        error={errors['airdrop.closesAt'] ?? errors['closesAt']}
      />
      <Button type="submit" variant="secondary" className="justify-self-start" isPending={isPending}>
        {CAMPAIGN_LIFE.extend}
      </Button>
    </Form>
  )
}

function MoreSlots({ total }: { total: number }) {
  const { mutate, isPending, errors } = useLifeChange((slots: number) => call(addSlots, { body: { slots } }))
  return (
    <Form onValues={({ slots = '' }) => mutate(Number(slots))} className="grid content-start gap-4">
      <Field
        label={CAMPAIGN_LIFE.total}
        hint={CAMPAIGN_LIFE.totalHint({ minimum: total + 1 })}
        name="slots"
        type="number"
        required
        min={total + 1}
        step={1}
        defaultValue={total}
        error={errors['airdrop.slots'] ?? errors['slots']}
      />
      <Button type="submit" variant="secondary" className="justify-self-start" isPending={isPending}>
        {CAMPAIGN_LIFE.addSlots}
      </Button>
    </Form>
  )
}
