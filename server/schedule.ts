import { purgeAccounts } from './accounts/purge.ts'
import type { Deps } from './deps.ts'
import { checkClaim } from './evidence/check-claim.ts'
import type { Source } from './evidence/finding.ts'
import { settleLateClaims } from './evidence/late-claims.ts'
import { CHECK_JOB } from './evidence/start-checks.ts'
import { noteRoles } from './journal/note-roles.ts'
import { sealJournal } from './journal/seal.ts'
import { deliver, type Post } from './mail/deliver.ts'
import { MAIL_JOB } from './mail/send-later.ts'
import { purgeSpentChallenges } from './platform/challenge.ts'
import { purgeJobs, runDue } from './platform/jobs.ts'
import { purgeBudgets } from './platform/limiter.ts'
import type { Repeating } from './platform/repeat.ts'
import { fillBoards, foldBoardCounts } from './points/board.ts'
import { purgeSessions } from './sessions/session.ts'
import { purgeNetworks } from './signals/network.ts'
import { WEIGH_JOB, weighDue } from './signals/weigh-claim.ts'
import { settleSlots } from './slots/settle-slots.ts'
import { purgeAttempts } from './telegram/attempts.ts'
import { purgeIdentifiers } from './tasks/purge-identifiers.ts'
import { slotEnded } from './tasks/slot-ended.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * All recurring work of a node, in one place. Every item may run on several nodes at once: jobs are
 * leased, and the rest does the same thing however often it is done.
 */
export const schedule = (deps: Deps, post: Post, sources: readonly Source[]): readonly Repeating[] => [
  {
    name: 'mail',
    every: SECOND,
    run: (stop) => runDue(deps.db, MAIL_JOB, (job, cut) => deliver(post, job, cut), { stop }),
  },
  {
    name: 'claims',
    every: SECOND,
    // Most of a check is waiting for others.
    run: (stop) => runDue(deps.db, CHECK_JOB, (job) => checkClaim(deps, sources, job), { stop, atOnce: 8 }),
  },
  {
    name: 'signals',
    every: SECOND,
    run: (stop) => runDue(deps.db, WEIGH_JOB, (job) => weighDue(deps, job), { stop }),
  },
  { name: 'late claims', every: 3 * SECOND, run: () => settleLateClaims(deps.db, sources) },
  {
    name: 'journal',
    every: SECOND,
    run: () => sealJournal(deps.db, (acts) => noteRoles(deps.security, acts)),
  },
  { name: 'slots', every: SECOND, run: () => settleSlots(deps, slotEnded) },
  { name: 'board', every: MINUTE, run: () => foldBoardCounts(deps.db) },
  { name: 'new boards', every: MINUTE, run: (stop) => fillBoards(deps.db, stop) },
  { name: 'purge accounts', every: HOUR, run: () => purgeAccounts(deps.db) },
  { name: 'purge sessions', every: HOUR, run: () => purgeSessions(deps.db) },
  { name: 'purge jobs', every: HOUR, run: () => purgeJobs(deps.db) },
  { name: 'purge networks', every: HOUR, run: () => purgeNetworks(deps) },
  { name: 'purge budgets', every: HOUR, run: () => purgeBudgets(deps.db) },
  { name: 'purge identifiers', every: HOUR, run: () => purgeIdentifiers(deps.db) },
  { name: 'purge connections', every: HOUR, run: () => purgeAttempts(deps.db) },
  { name: 'purge challenges', every: HOUR, run: () => purgeSpentChallenges(deps.db) },
]
