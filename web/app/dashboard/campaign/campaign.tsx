import { archiveCampaign, campaignLife, type CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { isOver } from '#contract/phase.ts'
import { CAMPAIGN_LIFE } from '#messages/dashboard-campaign-life.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { formatDateTime } from '#web/features/time/time.tsx'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'
import { call } from '#web/features/api/call.ts'
import { useData } from '#web/features/api/use-data.ts'
import { archivePath } from '#web/routes.ts'
import { ScreenLink } from '../../screen-link.tsx'
import { DashboardScreen, DashboardSection } from '../dashboard-screen.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Figure, Figures } from '../ui/figure.tsx'
import { DatesSection } from './dates-section.tsx'
import { PauseSection } from './pause-section.tsx'
import { LIFE_QUERY } from './use-life.ts'
import { ConfirmButton } from './confirm-button.tsx'

/** Claims arrive while the screen is open. */
const POLL_MS = 30_000

export default function CampaignScreen() {
  const life = useData(campaignLife, { queryKey: LIFE_QUERY, refetchInterval: POLL_MS })
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.campaign} error={life.error}>
      <h1 className="mt-6 text-2xl">{CAMPAIGN_LIFE.title}</h1>
      <QueryContent query={life} words={CAMPAIGN_LIFE}>
        {(data) => <Life life={data} />}
      </QueryContent>
    </DashboardScreen>
  )
}

function Life({ life }: { life: CampaignLife }) {
  const { stage, archivedAt } = life
  return (
    <div className="mt-4 grid grid-cols-1 gap-10">
      <Summary life={life} />
      {/* A pause can outlast the campaign, and someone has to end it. Each pause has a form of its own. */}
      {(!isOver(stage) || life.paused) && <PauseSection key={life.paused?.since} life={life} />}
      {!isOver(stage) && <DatesSection life={life} />}
      {(isOver(stage) || archivedAt !== null) && <ArchiveSection life={life} />}
    </div>
  )
}

const TONES: Partial<Record<CampaignLife['stage'], StampTone>> = { paid: 'proof', paused: 'accent' }

function Summary({ life }: { life: CampaignLife }) {
  const { stage, archivedAt, opensAt, closesAt, slots, undecided, appeals } = life
  const isFrozen = life.results !== null && life.results.payout !== null
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <strong className="text-lg">{life.name}</strong>
        <Stamp tone={TONES[stage] ?? 'ink'}>
          {archivedAt === null ? CAMPAIGN_LIFE.stages[stage] : CAMPAIGN_LIFE.archived}
        </Stamp>
      </div>
      {archivedAt === null && (
        <p className="max-w-prose">
          {CAMPAIGN_LIFE.leads[stage === 'paying' && isFrozen ? 'frozen' : stage]}{' '}
          {stage === 'paying' && (
            <ScreenLink href={DASHBOARD_ROUTES.payout.path} className="text-link">
              {CAMPAIGN_LIFE.seePayout}
            </ScreenLink>
          )}
        </p>
      )}
      <Figures>
        <Figure label={CAMPAIGN_LIFE.opens}>{formatDateTime(opensAt)}</Figure>
        <Figure label={CAMPAIGN_LIFE.closes}>
          {closesAt === null ? CAMPAIGN_LIFE.noEnd : formatDateTime(closesAt)}
        </Figure>
        <Figure label={CAMPAIGN_LIFE.slots} needsAttention={stage === 'full'}>
          {CAMPAIGN_LIFE.slotsOf({ left: slots.left, total: slots.total })}
        </Figure>
        <Figure label={CAMPAIGN_LIFE.undecided} needsAttention={undecided + appeals > 0}>
          {CAMPAIGN_LIFE.undecidedOf({ claims: undecided, appeals })}
        </Figure>
      </Figures>
    </div>
  )
}

function ArchiveSection({ life }: { life: CampaignLife }) {
  const { id, archivedAt, undecided, appeals, kept: keptSlots } = life
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
  const isReady = undecided + appeals + keptSlots === 0
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

function StillOpen({ life: { undecided, appeals, kept: keptSlots, keptUntil } }: { life: CampaignLife }) {
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
        {keptSlots > 0 && (
          <li>
            {CAMPAIGN_LIFE.openSlots({ count: keptSlots })}
            {keptUntil !== null && ` ${CAMPAIGN_LIFE.openSlotsUntil({ when: formatDateTime(keptUntil) })}`}
          </li>
        )}
      </ul>
    </div>
  )
}
