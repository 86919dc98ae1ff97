import { payoutDrift, type Payout } from '#contract/dashboard/payouts.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { useData } from '#web/features/api/use-data.ts'
import { AgoIn } from '#web/features/time/time.tsx'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { formatInteger, shortenAddress } from '#web/ui/text/format.ts'
import { Stamp } from '#web/ui/stamp.tsx'
import { DashboardSection } from '../dashboard-screen.tsx'
import { Figure, Figures } from '../ui/figure.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { LeftOut } from './left-out.tsx'
import { Payments } from './payments.tsx'
import { Thaw, ThawedFreezes } from './thaw.tsx'
import {
  amountText,
  type FrozenAllocation,
  PAYOUT_QUERY,
  useChosenCampaign,
  usePackDownload,
} from './use-payout.ts'
import { Copy } from '../ui/copy.tsx'

type FrozenProps = { payout: Payout; frozen: FrozenAllocation }

export function Frozen({ payout, frozen }: FrozenProps) {
  const isRunning = payout.run?.state === 'running'
  return (
    <>
      <Summary payout={payout} frozen={frozen} isRunning={isRunning} />
      <DriftReport frozen={frozen} />
      <LeftOut frozen={frozen} />
      <Payments frozen={frozen} isRunning={isRunning} />
      <Thaw frozen={frozen} />
      <ThawedFreezes thawed={payout.thawed} />
    </>
  )
}

function Summary({ payout, frozen, isRunning }: FrozenProps & { isRunning: boolean }) {
  const { isPending, download } = usePackDownload()
  return (
    <DashboardSection
      title={PAYOUT.frozenTitle({ number: frozen.number })}
      aside={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
          <span>
            <AgoIn
              message={({ time }) => PAYOUT.frozenBy({ time, who: frozen.frozenBy })}
              at={frozen.frozenAt}
            />
          </span>
          <Stamp tone="proof">{PAYOUT.frozen}</Stamp>
        </span>
      }
    >
      <ContractWarning token={payout.token} frozen={frozen} />
      <Figures>
        <Figure label={PAYOUT.recipients}>{formatInteger(frozen.recipients)}</Figure>
        <Figure label={PAYOUT.contracts} needsAttention={frozen.contracts > 0}>
          {formatInteger(frozen.contracts)}
        </Figure>
        <Figure label={frozen.token.symbol}>{amountText(frozen.totals.pf, frozen.token)}</Figure>
        <Figure label={frozen.coin.symbol}>{amountText(frozen.totals.pls, frozen.coin)}</Figure>
      </Figures>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="label">{PAYOUT.root}</span>
        <code className="min-w-0 font-mono text-sm break-all">{frozen.root}</code>
        <Copy text={frozen.root} contentName={PAYOUT.root} />
      </div>
      <p>
        <a href={allocationPath(payout.campaign)} className="font-semibold underline underline-offset-4">
          {PAYOUT.check}
        </a>
      </p>
      {frozen.undecided > 0 && <p>{PAYOUT.frozenUndecided({ count: frozen.undecided })}</p>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Button isPending={isPending} disabled={isRunning} onClick={download}>
          {isPending ? PAYOUT.downloading : PAYOUT.download}
        </Button>
        <p className="max-w-prose text-sm text-ink-soft">{PAYOUT.downloadHint}</p>
      </div>
    </DashboardSection>
  )
}

const allocationPath = ({ id, isCurrent }: Payout['campaign']) =>
  isCurrent ? ROUTES.allocation.path : `${ROUTES.allocation.path}?campaign=${id}`

/** Warns if the token's contract has changed since the freeze, or is a placeholder. */
function ContractWarning({ token, frozen }: Pick<Payout, 'token'> & { frozen: FrozenAllocation }) {
  const isSameContract = token.contract.toLowerCase() === frozen.token.contract.toLowerCase()
  if (isSameContract && !token.isPlaceholder) return null
  return (
    <p role="status" className="border-s-4 border-accent bg-ink/5 px-4 py-3 font-semibold wrap-anywhere">
      {isSameContract
        ? PAYOUT.warnPlaceholderFrozen
        : PAYOUT.warnContractChanged({ frozen: frozen.token.contract, now: token.contract })}
    </p>
  )
}

/** Participants whose claim, points or ban have changed since the freeze. */
function DriftReport({ frozen: { drift } }: { frozen: FrozenAllocation }) {
  const total = Object.values(drift).reduce((sum, count) => sum + count, 0)
  const { query } = useChosenCampaign()
  const queryKey = [...PAYOUT_QUERY, query, 'drift', drift]
  const list = useData(payoutDrift, { queryKey, query, enabled: total > 0 })
  return (
    <DashboardSection title={PAYOUT.drift} aside={<span className="figures">{formatInteger(total)}</span>}>
      <p className={total > 0 ? 'font-semibold' : 'text-ink-soft'}>
        {total > 0 ? PAYOUT.driftLead : PAYOUT.noDrift}
      </p>
      {total > 0 && (
        <QueryContent query={list} heights={['h-24']} className="">
          {(drifted) => <DriftedParticipants drifted={drifted} />}
        </QueryContent>
      )}
    </DashboardSection>
  )
}

function DriftedParticipants({ drifted }: { drifted: ReplyOf<typeof payoutDrift>['data'] }) {
  return (
    <ul className="grid gap-px border-y border-hairline bg-hairline">
      {drifted.map(({ username, wallet, drift: kind, frozen, now }) => (
        <li
          key={`${username} ${wallet}`}
          className="flex flex-wrap items-baseline gap-x-5 gap-y-1 bg-paper py-2.5"
        >
          <strong dir="auto">{username}</strong>
          {wallet && (
            <span className="font-mono text-sm" title={wallet}>
              {shortenAddress(wallet)}
            </span>
          )}
          <span className="text-accent-text">{PAYOUT.drifts[kind]}</span>
          <span className="figures text-sm text-ink-soft">
            {PAYOUT.driftPoints({ frozen: totalOf(frozen), now: totalOf(now) })}
          </span>
        </li>
      ))}
    </ul>
  )
}

const totalOf = ({ pf, pls, referral }: { pf: number; pls: number; referral: number }) => pf + pls + referral
