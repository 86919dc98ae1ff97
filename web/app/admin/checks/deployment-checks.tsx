import { type DeploymentFinding, examineDeployment } from '#contract/dashboard/deployment.ts'
import { CHECKS } from '#messages/dashboard-setup.js'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Environment } from './environment.tsx'
import { FindingRow } from './finding-row.tsx'
import { TestMail } from './test-mail.tsx'
import { useQuery } from '@tanstack/react-query'
import { isUnauthorized, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'

/** Placeholder rows while the checks run: as many as there are checks, so that nothing jumps. */
const EXPECTED = 7

type DeploymentChecksProps = {
  checks: ReturnType<typeof useDeploymentChecks>
  /** Whether this is a step of the setup: the summary then says that problems can be solved later. */
  isStep?: boolean
}

/** What the server found about its deployment, a test email, and the server's environment variables. */
export function DeploymentChecks({ checks, isStep = false }: DeploymentChecksProps) {
  const { findings, problem, isRunning, runAgain } = checks
  return (
    <div className="grid grid-cols-1 gap-12">
      <section aria-label={CHECKS.title}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" data-lasting={isRunning ? undefined : true} className="font-semibold">
            {isRunning ? CHECKS.running : (problem ?? (findings && summaryOf(findings, isStep)))}
          </p>
          <Button variant="secondary" size="compact" isPending={isRunning} onClick={runAgain}>
            {CHECKS.again}
          </Button>
        </div>
        {findings && !isRunning ? <Findings findings={findings} /> : isRunning && <Expected />}
      </section>
      <TestMail />
      <Environment />
    </div>
  )
}

const summaryOf = (findings: readonly DeploymentFinding[], isStep: boolean) => {
  const count = (wanted: DeploymentFinding['outcome']) =>
    findings.filter(({ outcome }) => outcome === wanted).length
  const [wrong, inconclusive] = [count('wrong'), count('could_not_tell')]
  if (wrong > 0) {
    const problems = CHECKS.summary.wrong({ checks: wrong })
    return isStep ? `${problems} ${CHECKS.summary.later}` : problems
  }
  return inconclusive > 0 ? CHECKS.summary.inconclusive({ checks: inconclusive }) : CHECKS.summary.fine
}

const RANK = { wrong: 0, could_not_tell: 1, fine: 2 }

function Findings({ findings }: { findings: readonly DeploymentFinding[] }) {
  return (
    <ul className="mt-4 border-t border-hairline">
      {findings
        .toSorted((one, other) => RANK[one.outcome] - RANK[other.outcome])
        .map((finding) => (
          <FindingRow key={finding.name} finding={finding} />
        ))}
    </ul>
  )
}

function Expected() {
  return (
    <div className="mt-4 border-t border-hairline">
      {Array.from({ length: EXPECTED }, (_, row) => (
        <div key={row} className="border-b border-hairline py-5">
          <Skeleton className="h-6 w-full max-w-[40rem]" />
        </div>
      ))}
    </div>
  )
}

/** The checks of the deployment, run when the screen opens and again on demand. */
export function useDeploymentChecks(enabled = true) {
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: ['deployment checks'],
    queryFn: async () =>
      (await call(examineDeployment, { body: { browserTime: Date.now(), origin: location.origin } })).data,
    enabled,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  return {
    findings: data,
    error,
    hasSessionEnded: isUnauthorized(error),
    problem: isError ? messageOf(error, CHECKS.failed) : undefined,
    isRunning: isFetching,
    runAgain: () => void refetch(),
  }
}
