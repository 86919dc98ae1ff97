import { useState } from 'react'
import { archiveCampaign, type CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { CAMPAIGN_LIFE } from '#web/content/dashboard/campaign-life.ts'
import { call } from '#web/features/api/call.ts'
import { formatDateTime } from '#web/features/time/time.tsx'
import { archivePath } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { Part } from '../payout/amounts.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useLifeChange } from './use-life.ts'

/** Archives a campaign that is over and decided; afterwards, where its page is. */
export function ArchivePart({ life }: { life: CampaignLife }) {
  const { id, archivedAt, undecided, appeals } = life
  const [isAsking, setAsking] = useState(false)
  const archiving = useLifeChange(
    (campaign: string) => call(archiveCampaign, { body: { campaign } }),
    () => setAsking(false),
  )
  if (archivedAt !== null)
    return (
      <Part title={CAMPAIGN_LIFE.archive}>
        <p>
          {CAMPAIGN_LIFE.archivedAt} {formatDateTime(archivedAt)}.{' '}
          <a href={archivePath(id)} className="text-link">
            {CAMPAIGN_LIFE.archivePage}
          </a>
        </p>
      </Part>
    )
  const isReady = undecided + appeals === 0
  return (
    <Part title={CAMPAIGN_LIFE.archive}>
      <p className="max-w-prose text-ink-soft">{CAMPAIGN_LIFE.archiveLead}</p>
      {!isReady && <p className="font-semibold">{CAMPAIGN_LIFE.archiveNeeds}</p>}
      <Button
        variant="secondary"
        className="justify-self-start"
        disabled={!isReady}
        onClick={() => setAsking(true)}
      >
        {CAMPAIGN_LIFE.archiveNow}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        id={id}
        title={CAMPAIGN_LIFE.archiveTitle}
        lead={CAMPAIGN_LIFE.archiveLead}
        yes={CAMPAIGN_LIFE.archiveNow}
        pending={archiving.isPending}
        error={archiving.errors['campaign']}
        onConfirm={archiving.send}
      />
    </Part>
  )
}
