import { archiveCampaign, type CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { CAMPAIGN_LIFE } from '#messages/dashboard-campaign-life.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { call } from '#web/features/api/call.ts'
import { formatDateTime } from '#web/features/time/time.tsx'
import { archivePath } from '#web/routes.ts'
import { ScreenLink } from '../../screen-link.tsx'
import { DashboardSection } from '../dashboard-screen.tsx'
import { ConfirmButton } from './confirm-button.tsx'

/** Archives a campaign that is over and decided; once it is archived, links to its page. */
export function ArchiveSection({ life }: { life: CampaignLife }) {
  const { id, archivedAt, undecided, appeals, kept } = life
  if (archivedAt !== null)
    return (
      <DashboardSection title={CAMPAIGN_LIFE.archive}>
        <p>
          {CAMPAIGN_LIFE.archivedAt({ date: formatDateTime(archivedAt) })}{' '}
          <a href={archivePath(id)} className="text-link">
            {CAMPAIGN_LIFE.archivePage}
          </a>
        </p>
      </DashboardSection>
    )
  const isReady = undecided + appeals + kept === 0
  return (
    <DashboardSection title={CAMPAIGN_LIFE.archive}>
      <p className="max-w-prose text-ink-soft">{CAMPAIGN_LIFE.archiveLead}</p>
      {!isReady && <StillOpen life={life} />}
      <ConfirmButton
        variant="secondary"
        disabled={!isReady}
        label={CAMPAIGN_LIFE.archiveNow}
        title={CAMPAIGN_LIFE.archiveTitle}
        lead={CAMPAIGN_LIFE.archiveLead}
        campaignId={id}
        send={(campaign) => call(archiveCampaign, { body: { campaign } })}
      />
    </DashboardSection>
  )
}

/** What still keeps the campaign from being archived, with links to the claims to decide. */
function StillOpen({ life: { undecided, appeals, kept, keptUntil } }: { life: CampaignLife }) {
  return (
    <div className="border-s-4 border-accent bg-ink/5 px-4 py-3">
      <p className="font-semibold">{CAMPAIGN_LIFE.archiveNeeds}</p>
      <ul className="list-disc ps-5">
        {undecided > 0 && (
          <li>
            {CAMPAIGN_LIFE.openClaims({ count: undecided })}{' '}
            <ScreenLink href={`${DASHBOARD_ROUTES.claims.path}?view=waiting`} className="text-link">
              {CAMPAIGN_LIFE.decideThem}
            </ScreenLink>
          </li>
        )}
        {appeals > 0 && (
          <li>
            {CAMPAIGN_LIFE.openAppeals({ count: appeals })}{' '}
            <ScreenLink href={`${DASHBOARD_ROUTES.claims.path}?view=appealed`} className="text-link">
              {CAMPAIGN_LIFE.answerThem}
            </ScreenLink>
          </li>
        )}
        {kept > 0 && (
          <li>
            {CAMPAIGN_LIFE.openSlots({ count: kept })}
            {keptUntil !== null && ` ${CAMPAIGN_LIFE.openSlotsUntil({ when: formatDateTime(keptUntil) })}`}
          </li>
        )}
      </ul>
    </div>
  )
}
