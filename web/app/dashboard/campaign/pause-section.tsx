import {
  type CampaignLife,
  MAX_NOTICE_LENGTH,
  pauseCampaign,
  resumeCampaign,
} from '#contract/dashboard/campaign-life.ts'
import { isOver } from '#contract/phase.ts'
import { CAMPAIGN_LIFE } from '#messages/dashboard-campaign-life.js'
import { call } from '#web/features/api/call.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { AgoIn } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { pastePlain } from '#web/ui/forms/paste-plain.ts'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { DashboardSection } from '../dashboard-screen.tsx'
import { dropText, keptText } from '../ui/kept-text.ts'
import { fromLocal, toLocal } from '../settings/values.ts'
import { useLifeChange } from './use-life.ts'

/** The unsaved notice is kept under this key, and the other field under a key that begins with it. */
const FORM = 'notice of a pause'

export function PauseSection({ life: { paused, stage } }: { life: CampaignLife }) {
  const pausing = useLifeChange(
    ({ notice = '', until = '' }: FormValues) =>
      call(pauseCampaign, { body: { notice, until: fromLocal(until) ?? null } }),
    () => dropText(FORM),
  )
  const resuming = useLifeChange(() => call(resumeCampaign, {}))
  const resume = (
    <Button isPending={resuming.isPending} onClick={() => resuming.mutate()}>
      {CAMPAIGN_LIFE.resume}
    </Button>
  )
  return (
    <DashboardSection
      title={CAMPAIGN_LIFE.pause}
      aside={
        paused && (
          <span className="text-sm text-ink-soft">
            <AgoIn message={CAMPAIGN_LIFE.pausedSince} at={paused.since} />
          </span>
        )
      }
    >
      {isOver(stage) ? (
        <>
          <p className="max-w-prose">{CAMPAIGN_LIFE.closedWhilePaused}</p>
          <div>{resume}</div>
        </>
      ) : (
        <>
          <p className="max-w-prose text-ink-soft">{CAMPAIGN_LIFE.pauseLead}</p>
          <Form onValues={pausing.mutate} className="grid max-w-xl grid-cols-1 gap-5">
            <TextArea
              label={CAMPAIGN_LIFE.notice}
              hint={CAMPAIGN_LIFE.noticeHint}
              name="notice"
              rows={3}
              required
              maxLength={MAX_NOTICE_LENGTH}
              error={pausing.errors['notice']}
              onPaste={pastePlain}
              {...keptText(FORM, paused?.notice)}
            />
            <Field
              label={CAMPAIGN_LIFE.until}
              hint={CAMPAIGN_LIFE.untilHint}
              name="until"
              type="datetime-local"
              error={pausing.errors['until']}
              {...keptText(`${FORM}, until`, toLocal(paused?.until))}
            />
            <div className="flex flex-wrap gap-3">
              {paused && resume}
              <Button type="submit" variant="secondary" isPending={pausing.isPending}>
                {paused ? CAMPAIGN_LIFE.changeNotice : CAMPAIGN_LIFE.pauseNow}
              </Button>
            </div>
          </Form>
        </>
      )}
    </DashboardSection>
  )
}
