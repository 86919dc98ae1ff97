import { campaigns } from '#contract/campaigns.ts'
import type { Payout } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { useData } from '#web/features/api/use-data.ts'
import { AgoIn } from '#web/features/time/time.tsx'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Empty } from '#web/ui/empty.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { ScreenLink } from '../../screen-link.tsx'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Choice } from '../ui/toolbar.tsx'
import { Frozen } from './frozen.tsx'
import { Plan } from './plan.tsx'
import { useChosenCampaign, usePayout } from './use-payout.ts'

export default function PayoutScreen() {
  const payout = usePayout()
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.payout} error={payout.error}>
      <div className="mt-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <h1 className="text-2xl">{PAYOUT.title}</h1>
        <CampaignChoice />
      </div>
      <QueryContent query={payout} words={PAYOUT}>
        {(data) => <PayoutContent key={data.campaign.id} payout={data} />}
      </QueryContent>
    </DashboardScreen>
  )
}

/** Chooses the current campaign or an archived one, which can still be paid. Hidden if none is archived. */
function CampaignChoice() {
  const { query, choose } = useChosenCampaign()
  const { data = [] } = useData(campaigns, { queryKey: ['campaigns'] })
  const current = data.find(({ isCurrent }) => isCurrent)
  if (!current || data.length < 2) return null
  return (
    <Choice
      label={PAYOUT.campaign}
      value={query.campaign ?? current.id}
      options={
        new Map(
          data.map(({ id, isCurrent, name }) => [
            id,
            isCurrent ? PAYOUT.campaignCurrent({ name }) : PAYOUT.campaignArchived({ name }),
          ]),
        )
      }
      onChoice={(id) => choose(id === current.id ? undefined : id)}
    />
  )
}

function PayoutContent({ payout }: { payout: Payout }) {
  return (
    <div className="mt-6 grid grid-cols-1 gap-10">
      {payout.run && <RunState run={payout.run} />}
      {payout.frozen ? <Frozen payout={payout} frozen={payout.frozen} /> : <BeforeFreeze payout={payout} />}
    </div>
  )
}

function BeforeFreeze({ payout }: { payout: Payout }) {
  const { rates, plan } = payout
  if (!rates || !plan)
    return (
      <Empty pose="asleep" text={payout.campaign.isCurrent ? PAYOUT.unset : PAYOUT.unsetArchived}>
        <ScreenLink href={ROUTES.dashboard.path} className={buttonStyle('secondary')}>
          {PAYOUT.unsetLink}
        </ScreenLink>
      </Empty>
    )
  return <Plan payout={payout} rates={rates} plan={plan} />
}

type Run = NonNullable<Payout['run']>

/** The freeze, export or reconcile in progress, or why the last one failed. Shows nothing after a success. */
function RunState({ run }: { run: Run }) {
  if (run.state === 'done') return null
  if (run.state === 'running') return <Progress run={run} />
  const text = run.state === 'interrupted' ? PAYOUT.interrupted : run.message
  return (
    <p role="alert" className="border-s-4 border-accent bg-ink/5 px-4 py-3 font-semibold">
      <AgoIn
        message={({ time }) => PAYOUT.runFailed({ task: PAYOUT.run[run.task], time, text: text ?? '' })}
        at={run.startedAt}
      />
    </p>
  )
}

const STEPS: Readonly<Record<string, string>> = PAYOUT.steps

function Progress({ run: { task, step, done, total } }: { run: Run }) {
  const label = PAYOUT.runIs({ task: PAYOUT.run[task], text: STEPS[step] ?? step })
  return (
    <div className="grid gap-2 rounded-md border border-ink p-4">
      <div className="flex flex-wrap justify-between gap-x-6">
        <p role="status" className="font-semibold">
          {label}
        </p>
        <p className="figures text-sm text-ink-soft">
          {total === null ? formatInteger(done) : `${formatInteger(done)} / ${formatInteger(total)}`}
        </p>
      </div>
      <progress
        aria-label={label}
        className="w-full"
        {...(total === null ? {} : { value: done, max: Math.max(1, total) })}
      />
    </div>
  )
}
