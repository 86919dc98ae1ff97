import { purgeAccounts } from './domain/accounts/registration/purge.ts'
import type { Deps } from './deps.ts'
import { checkClaim } from './domain/evidence/check-claim.ts'
import type { Source } from './domain/evidence/finding.ts'
import { moveLateClaimsToReview } from './domain/evidence/late-claims.ts'
import { CHECK_JOB } from './domain/evidence/start-checks.ts'
import { noteRoles } from './domain/journal/record.ts'
import { sealJournal } from './domain/journal/seal.ts'
import { deliver, type Delivery } from './domain/mail/deliver.ts'
import { MAIL_JOB } from './domain/mail/send-later.ts'
import { purgeSpentChallenges } from './platform/limits/challenge.ts'
import { purgeJobs, runDue } from './platform/jobs.ts'
import { purgeRateLimits } from './platform/limits/rate-limiter.ts'
import type { RecurringJob } from './platform/run-schedule.ts'
import { fillBoards, compactBoardCounts } from './domain/ledger/board.ts'
import { purgeSessions } from './domain/sessions/session.ts'
import { purgeNetworks } from './domain/signals/network.ts'
import { type AskChain, runTokenCheck } from './domain/proofs/run-token-check.ts'
import { SCORE_JOB, scoreDueClaim } from './domain/signals/score-claim.ts'
import { reallocateSlots } from './domain/slots/reallocate-slots.ts'
import { purgeAttempts } from './domain/telegram/attempts.ts'
import { purgeMessages } from './domain/wallets/messages.ts'
import { compactClaimCounts } from './domain/claims/claim-counts.ts'
import { purgeIdentifiers } from './domain/claims/submission/purge-identifiers.ts'
import { recordExpiredHold } from './domain/claims/submission/record-expired-hold.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

type Optional = {
  askChain?: AskChain | undefined
  backUp?: ((stop: AbortSignal) => Promise<unknown>) | undefined
}

/**
 * All recurring work of a node. Every item may run on several nodes at once: queued jobs are leased, the
 * rest is idempotent.
 * @param askChain absent if there is no token to ask about. @param backUp absent without BACKUP_DIR.
 */
export const schedule = (
  deps: Deps,
  delivery: Delivery,
  sources: readonly Source[],
  { askChain, backUp }: Optional = {},
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
    run: () => sealJournal(deps.db, (entries) => noteRoles(deps.security, entries)),
  },
  { name: 'slots', intervalMs: SECOND, run: () => reallocateSlots(deps, recordExpiredHold) },
  { name: 'claim counts', intervalMs: 10 * SECOND, run: () => compactClaimCounts(deps.db) },
  { name: 'board', intervalMs: SECOND, run: () => compactBoardCounts(deps.db) },
  { name: 'new boards', intervalMs: MINUTE, run: (stop) => fillBoards(deps.db, stop) },
  // More often than a node may ask, so that another takes over from one that ended.
  ...(askChain
    ? [
        {
          name: 'proofs',
          intervalMs: 10 * SECOND,
          run: (stop: AbortSignal) => runTokenCheck(deps, askChain, stop),
        },
      ]
    : []),
  { name: 'purge accounts', intervalMs: HOUR, run: () => purgeAccounts(deps.db) },
  { name: 'purge sessions', intervalMs: HOUR, run: () => purgeSessions(deps.db) },
  { name: 'purge jobs', intervalMs: HOUR, run: () => purgeJobs(deps.db) },
  { name: 'purge networks', intervalMs: HOUR, run: () => purgeNetworks(deps) },
  { name: 'purge rate limits', intervalMs: HOUR, run: () => purgeRateLimits(deps.db) },
  { name: 'purge identifiers', intervalMs: HOUR, run: () => purgeIdentifiers(deps.db) },
  { name: 'purge connections', intervalMs: HOUR, run: () => purgeAttempts(deps.db) },
  { name: 'purge wallet messages', intervalMs: HOUR, run: () => purgeMessages(deps.db) },
  { name: 'purge challenges', intervalMs: HOUR, run: () => purgeSpentChallenges(deps.db) },
  ...(backUp ? [{ name: 'backup', intervalMs: MINUTE, run: backUp }] : []),
]
