import type { Payout } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ScreenLink } from '../../screen-link.tsx'
import { canAdminister, DashboardScreen } from '../dashboard-screen.tsx'
import { Loaded } from '../loaded.tsx'
import { CampaignChoice } from './campaign-choice.tsx'
import { Frozen } from './frozen.tsx'
import { Plan } from './plan.tsx'
import { RunState } from './run-state.tsx'
import { usePayout } from './use-payout.ts'

/** The payout: what would be frozen, or what is frozen and has been paid. */
export default function PayoutScreen() {
  const payout = usePayout(canAdminister())
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.payout} error={payout.error}>
      <div className="mt-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <h1 className="text-2xl">{PAYOUT.title}</h1>
        <CampaignChoice enabled={canAdminister()} />
      </div>
      <Loaded query={payout} words={PAYOUT}>
        {(data) => <State key={data.campaign.id} payout={data} />}
      </Loaded>
    </DashboardScreen>
  )
}

function State({ payout }: { payout: Payout }) {
  return (
    <div className="mt-4 grid grid-cols-1 gap-10">
      {payout.run && <RunState run={payout.run} />}
      {payout.frozen ? <Frozen payout={payout} frozen={payout.frozen} /> : <BeforeFreeze payout={payout} />}
    </div>
  )
}

function BeforeFreeze({ payout }: { payout: Payout }) {
  const { rates, plan } = payout
  if (!rates || !plan)
    return (
      <Empty
        pose="asleep"
        text={payout.campaign.isCurrent ? PAYOUT.unset : PAYOUT.unsetArchived}
        action={
          <ScreenLink href={ROUTES.dashboard.path} className={buttonStyle('secondary')}>
            {PAYOUT.unsetLink}
          </ScreenLink>
        }
      />
    )
  return <Plan payout={payout} rates={rates} plan={plan} />
}
