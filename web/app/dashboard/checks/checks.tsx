import { useMutation, useQuery } from '@tanstack/react-query'
import {
  deploymentEnvironment,
  type DeploymentFinding,
  examineDeployment,
  sendTestMail,
  type ShownVariable,
} from '#contract/dashboard/deployment.ts'
import { CHECKS, ENVIRONMENT } from '#messages/dashboard-setup.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { DOCS_PATH } from '#web/docs-path.ts'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { useData } from '#web/features/api/use-data.ts'
import { sessionUser } from '#web/features/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'
import { CompactButton } from '../ui/compact-button.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { DashboardScreen, TitledSection } from '../dashboard-screen.tsx'

/** The setup's deployment checks, for whenever something seems wrong. */
export default function Checks() {
  const checks = useDeploymentChecks()
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.checks} error={checks.error}>
      <h1 className="mt-6 text-2xl">{DASHBOARD_ROUTES.checks.name}</h1>
      <p className="mt-2 mb-6 max-w-[60ch] text-ink-soft">{CHECKS.lead}</p>
      <DeploymentChecks checks={checks} isStep={false} />
    </DashboardScreen>
  )
}

/** Runs the checks, unless their findings are cached. `refetch` always runs them. */
export function useDeploymentChecks(enabled = true) {
  return useQuery({
    queryKey: ['deployment checks'],
    queryFn: async () =>
      (await call(examineDeployment, { body: { browserTime: Date.now(), origin: location.origin } })).data,
    enabled,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

type DeploymentChecksProps = {
  checks: ReturnType<typeof useDeploymentChecks>
  /** Whether the checks are a step of the setup. The summary then says that problems can be solved later. */
  isStep: boolean
}

export function DeploymentChecks({ checks, isStep }: DeploymentChecksProps) {
  const { data: findings, error, isFetching: isRunning } = checks
  const problem = error && messageOf(error, CHECKS.failed)
  return (
    <div className="grid grid-cols-1 gap-12">
      <section aria-label={CHECKS.title}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          {/* `data-lasting` tells browser tests not to wait until the summary disappears. */}
          <p role="status" data-lasting={isRunning ? undefined : true} className="font-semibold">
            {isRunning ? CHECKS.running : (problem ?? (findings && summaryOf(findings, isStep)))}
          </p>
          <CompactButton isPending={isRunning} onClick={() => void checks.refetch()}>
            {CHECKS.again}
          </CompactButton>
        </div>
        {isRunning ? <PlaceholderRows /> : findings && <Findings findings={findings} />}
      </section>
      <TestMail />
      <Environment />
    </div>
  )
}

const summaryOf = (findings: readonly DeploymentFinding[], isStep: boolean) => {
  const count = (wanted: DeploymentFinding['outcome']) =>
    findings.filter(({ outcome }) => outcome === wanted).length
  const wrong = count('wrong')
  const inconclusive = count('could_not_tell')
  if (wrong > 0) {
    const problems = CHECKS.summary.wrong({ checks: wrong })
    return isStep ? `${problems} ${CHECKS.summary.later}` : problems
  }
  return inconclusive > 0 ? CHECKS.summary.inconclusive({ checks: inconclusive }) : CHECKS.summary.fine
}

const SORT_ORDER = { wrong: 0, could_not_tell: 1, fine: 2 }

function Findings({ findings }: { findings: readonly DeploymentFinding[] }) {
  return (
    <ul className="mt-4 border-t border-hairline">
      {findings
        .toSorted((one, other) => SORT_ORDER[one.outcome] - SORT_ORDER[other.outcome])
        .map((finding) => (
          <FindingRow key={finding.name} finding={finding} />
        ))}
    </ul>
  )
}

const TONES: Record<DeploymentFinding['outcome'], StampTone> = {
  fine: 'proof',
  wrong: 'accent',
  could_not_tell: 'ink',
}

const NAMES: Readonly<Record<string, string>> = CHECKS.names

function FindingRow({ finding: { name, outcome, lines, remarks } }: { finding: DeploymentFinding }) {
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-2 border-b border-hairline py-4 sm:grid-cols-[11rem_8.5rem_minmax(0,1fr)]">
      <p className="font-display font-extrabold">{NAMES[name] ?? name}</p>
      <div>
        <Stamp tone={TONES[outcome]}>{CHECKS.outcomes[outcome]}</Stamp>
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-1.5 wrap-anywhere">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {remarks.map((remark) => (
          <p key={remark} className="text-sm text-ink-soft">
            {CHECKS.remark} {remark}
          </p>
        ))}
      </div>
    </li>
  )
}

/** How many rows the findings will have: placeholders of as many rows keep the page from moving. */
const CHECK_COUNT = 7

function PlaceholderRows() {
  return (
    <div className="mt-4 border-t border-hairline">
      {Array.from({ length: CHECK_COUNT }, (_, row) => (
        <div key={row} className="border-b border-hairline py-5">
          <Skeleton className="h-6 w-full max-w-[40rem]" />
        </div>
      ))}
    </div>
  )
}

function TestMail() {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => (await call(sendTestMail, {})).data,
  })
  return (
    <TitledSection title={CHECKS.mailTitle}>
      <p className="mt-2 max-w-[60ch] wrap-anywhere text-ink-soft">
        {CHECKS.mailLead({ email: sessionUser()?.email ?? '' })}
      </p>
      <Button variant="secondary" className="mt-4" isPending={isPending} onClick={() => mutate()}>
        {isPending ? CHECKS.sending : CHECKS.send}
      </Button>
      <div role="status" className="mt-4">
        {error && <p className="font-semibold text-accent-text">{messageOf(error, CHECKS.sendFailed)}</p>}
        {data && !isPending && (
          <ul className="border-t border-hairline">
            <FindingRow finding={data} />
          </ul>
        )}
      </div>
    </TitledSection>
  )
}

function Environment() {
  const environment = useData(deploymentEnvironment, {
    queryKey: ['deployment environment'],
    staleTime: Infinity,
  })
  return (
    <TitledSection title={ENVIRONMENT.title} className="grid grid-cols-1 gap-3">
      <p className="max-w-[60ch] text-ink-soft">
        {ENVIRONMENT.lead}{' '}
        <a href={`${DOCS_PATH}/environment`} className="text-link">
          {ENVIRONMENT.docs}
        </a>
      </p>
      <QueryContent query={environment} words={ENVIRONMENT} heights={['h-64']} className="">
        {(variables) => (
          <dl className="mt-1 border-t border-hairline">
            {variables.map(({ name, value }) => (
              <Variable key={name} name={name} value={value} />
            ))}
          </dl>
        )}
      </QueryContent>
    </TitledSection>
  )
}

function Variable({ name, value }: { name: ShownVariable; value: string | null }) {
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-1 border-b border-hairline py-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="font-mono text-sm font-semibold sm:pt-0.5">
        <code>{name}</code>
      </dt>
      <dd className="grid min-w-0 grid-cols-1 gap-1.5">
        {value === null ? (
          <p className="text-ink-soft">{ENVIRONMENT.unset}</p>
        ) : (
          <p className="font-mono text-sm wrap-anywhere">
            <bdi>{value}</bdi>
          </p>
        )}
        <p className="max-w-[60ch]">{ENVIRONMENT.what[name]}</p>
        <p className="max-w-[60ch] text-sm text-ink-soft">
          <span className="font-semibold">{ENVIRONMENT.ifWrong}</span> {ENVIRONMENT.wrong[name]}
        </p>
      </dd>
    </div>
  )
}
