import { purgeAccounts } from './accounts/purge.ts'
import type { Deps } from './deps.ts'
import { checkClaim } from './evidence/check-claim.ts'
import type { Source } from './evidence/finding.ts'
import { moveLateClaimsToReview } from './evidence/late-claims.ts'
import { CHECK_JOB } from './evidence/start-checks.ts'
import { noteRoles } from './journal/note-roles.ts'
import { sealJournal } from './journal/seal.ts'
import { deliver, type Delivery } from './mail/deliver.ts'
import { MAIL_JOB } from './mail/send-later.ts'
import { purgeSpentChallenges } from './platform/challenge.ts'
import { purgeJobs, runDue } from './platform/jobs.ts'
import { purgeRateLimits } from './platform/rate-limiter.ts'
import type { RecurringJob } from './platform/run-schedule.ts'
import { fillBoards, compactBoardCounts } from './ledger/board.ts'
import { purgeSessions } from './sessions/session.ts'
import { purgeNetworks } from './signals/network.ts'
import { SCORE_JOB, scoreDueClaim } from './signals/score-claim.ts'
import { reallocateSlots } from './slots/reallocate-slots.ts'
import { purgeAttempts } from './telegram/attempts.ts'
import { purgeIdentifiers } from './claims/purge-identifiers.ts'
import { recordExpiredHold } from './claims/record-expired-hold.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * All recurring work of a node. Every item may run on several nodes at once: queued jobs are leased, the
 * rest is idempotent.
 */
export const schedule = (
  deps: Deps,
  delivery: Delivery,
  sources: readonly Source[],
): readonly RecurringJob[] => [
  {
    name: 'mail',
    intervalMs: SECOND,
    run: (stop) => runDue(deps.db, MAIL_JOB, (job, cut) => deliver(delivery, job, cut), { stop }),
  },
  {
    name: 'claims',
    intervalMs: SECOND,
    // A check mostly waits for outside services.
    run: (stop) => runDue(deps.db, CHECK_JOB, (job) => checkClaim(deps, sources, job), { stop, atOnce: 8 }),
  },
  {
    name: 'signals',
    intervalMs: SECOND,
    run: (stop) => runDue(deps.db, SCORE_JOB, (job) => scoreDueClaim(deps, job), { stop }),
  },
  { name: 'late claims', intervalMs: 3 * SECOND, run: () => moveLateClaimsToReview(deps.db, sources) },
  {
    name: 'journal',
    intervalMs: SECOND,
    run: () => sealJournal(deps.db, (acts) => noteRoles(deps.security, acts)),
  },
  { name: 'slots', intervalMs: SECOND, run: () => reallocateSlots(deps, recordExpiredHold) },
  { name: 'board', intervalMs: MINUTE, run: () => compactBoardCounts(deps.db) },
  { name: 'new boards', intervalMs: MINUTE, run: (stop) => fillBoards(deps.db, stop) },
  { name: 'purge accounts', intervalMs: HOUR, run: () => purgeAccounts(deps.db) },
  { name: 'purge sessions', intervalMs: HOUR, run: () => purgeSessions(deps.db) },
  { name: 'purge jobs', intervalMs: HOUR, run: () => purgeJobs(deps.db) },
  { name: 'purge networks', intervalMs: HOUR, run: () => purgeNetworks(deps) },
  { name: 'purge budgets', intervalMs: HOUR, run: () => purgeRateLimits(deps.db) },
  { name: 'purge identifiers', intervalMs: HOUR, run: () => purgeIdentifiers(deps.db) },
  { name: 'purge connections', intervalMs: HOUR, run: () => purgeAttempts(deps.db) },
  { name: 'purge challenges', intervalMs: HOUR, run: () => purgeSpentChallenges(deps.db) },
]
