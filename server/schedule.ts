import { purgeExpired } from './domain/accounts/registration/purge.ts'
import type { Deps } from './deps.ts'
import { checkClaim } from './domain/evidence/check-claim.ts'
import type { Source } from './domain/evidence/finding.ts'
import { moveLateClaimsToReview } from './domain/evidence/late-claims.ts'
import { CHECK_JOB } from './domain/evidence/start-checks.ts'
import { logRoleChanges } from './domain/journal/record.ts'
import { sealJournal } from './domain/journal/seal.ts'
import { purgePictures } from './domain/look/pictures.ts'
import type { WatchedDeployment } from './domain/alerts/conditions.ts'
import { watchDeployment } from './domain/alerts/watch.ts'
import { deliverAnnouncement } from './domain/announcements/deliver-announcement.ts'
import { purgeRecipients, queueAnnouncement } from './domain/announcements/queue-announcement.ts'
import { deliver, type DeliverDeps } from './domain/mail/deliver.ts'
import { MAIL_JOB, ANNOUNCEMENT_JOB } from './domain/mail/send-later.ts'
import { compactDailyCounts } from './domain/insights/counts.ts'
import { purgeSuppressions } from './domain/mail/suppressions.ts'
import { purgeSpentChallenges } from './platform/limits/challenge.ts'
import { purgeJobs, runDue } from './platform/jobs/jobs.ts'
import { purgeRateLimits } from './platform/limits/rate-limiter.ts'
import type { PublicPost } from './platform/outbound/public-post.ts'
import type { RecurringJob } from './platform/jobs/run-schedule.ts'
import { fillBoards, compactBoardCounts } from './domain/ledger/board.ts'
import { purgeSessions } from './domain/sessions/session.ts'
import { purgeNetworks } from './domain/signals/network.ts'
import { type AskChain, runTokenCheck } from './domain/token-proofs/run-token-check.ts'
import { SCORE_JOB, scoreDueClaim } from './domain/signals/score-claim.ts'
import { reallocateSlots } from './domain/slots/reallocate-slots.ts'
import { purgeAttempts } from './domain/telegram/connect.ts'
import { purgeDeliveries } from './domain/webhooks/deliveries.ts'
import { runWebhooks } from './domain/webhooks/run-webhooks.ts'
import { purgeMessages } from './domain/wallets/messages.ts'
import { compactClaimCounts } from './domain/claims/claim-counts.ts'
import { purgeIdentifiers } from './domain/claims/submission/purge-identifiers.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

type OptionalParts = {
  post?: PublicPost | undefined
  watched?: WatchedDeployment | undefined
  askChain?: () => AskChain | undefined
  saveVisits?: (() => Promise<unknown>) | undefined
  backUp?: ((stop: AbortSignal) => Promise<unknown>) | undefined
  isBusy?: () => boolean
}

/**
 * All recurring work of a node. Every job may run on several nodes at once: queued work is leased, the rest
 * is idempotent.
 * @param sources returns the sources of evidence for the campaign as it is now.
 * @param askChain returns undefined while there is no token to ask about.
 * @param backUp absent without BACKUP_DIR.
 * @param isBusy whether requests are waiting. Fewer queued jobs then run at once.
 */
export const schedule = (
  deps: Deps,
  delivery: DeliverDeps,
  sources: () => readonly Source[],
  { post, watched, askChain, saveVisits, backUp, isBusy }: OptionalParts = {},
): readonly RecurringJob[] => [
  // Polled, because a NOTIFY can be lost and every node must apply a change within a second.
  { name: 'settings', intervalMs: SECOND / 2, run: () => deps.liveCampaign.refresh() },
  {
    name: 'mail',
    intervalMs: SECOND,
    run: (stop) =>
      runDue(deps.db, MAIL_JOB, (job, signal) => deliver(delivery, job, signal), { stop, isBusy }),
  },
  { name: 'announcements', intervalMs: SECOND, run: () => queueAnnouncement(deps) },
  {
    name: 'announcement emails',
    intervalMs: SECOND,
    // One at a time, so that emails with codes find a free connection to the mail server.
    run: (stop) =>
      runDue(deps.db, ANNOUNCEMENT_JOB, (job, signal) => deliverAnnouncement(delivery, job, signal), {
        stop,
        isBusy,
        atOnce: 1,
      }),
  },
  ...(watched ? [{ name: 'alerts', intervalMs: MINUTE, run: () => watchDeployment(deps, watched) }] : []),
  {
    name: 'claims',
    intervalMs: SECOND,
    // Eight at once, because a check mostly waits for outside services.
    run: (stop) =>
      runDue(deps.db, CHECK_JOB, (job) => checkClaim(deps, sources(), job), { stop, isBusy, atOnce: 8 }),
  },
  {
    name: 'signals',
    intervalMs: SECOND,
    run: (stop) => runDue(deps.db, SCORE_JOB, (job) => scoreDueClaim(deps, job), { stop, isBusy }),
  },
  { name: 'late claims', intervalMs: 3 * SECOND, run: () => moveLateClaimsToReview(deps.db, sources()) },
  {
    name: 'journal',
    intervalMs: SECOND,
    run: () => sealJournal(deps.db, (entries) => logRoleChanges(deps.security, entries)),
  },
  { name: 'slots', intervalMs: SECOND, run: () => reallocateSlots(deps) },
  { name: 'claim counts', intervalMs: 10 * SECOND, run: () => compactClaimCounts(deps.db) },
  { name: 'daily counts', intervalMs: MINUTE, run: () => compactDailyCounts(deps.db) },
  ...(saveVisits ? [{ name: 'visits', intervalMs: 5 * SECOND, run: saveVisits }] : []),
  { name: 'board', intervalMs: SECOND, run: () => compactBoardCounts(deps.db) },
  { name: 'new boards', intervalMs: MINUTE, run: (stop) => fillBoards(deps.db, stop) },
  // Runs more often than the chain is asked, so that another node soon takes over when one ends.
  {
    name: 'proofs',
    intervalMs: 10 * SECOND,
    run: async (stop) => {
      const ask = askChain?.()
      if (ask) await runTokenCheck(deps, ask, stop)
    },
  },
  ...(post
    ? [
        {
          name: 'webhooks',
          intervalMs: SECOND,
          run: (stop: AbortSignal) => runWebhooks(deps, post, { stop, isBusy }),
        },
      ]
    : []),
  { name: 'purge accounts', intervalMs: HOUR, run: () => purgeExpired(deps.db) },
  { name: 'purge sessions', intervalMs: HOUR, run: () => purgeSessions(deps.db) },
  { name: 'purge jobs', intervalMs: HOUR, run: () => purgeJobs(deps.db) },
  { name: 'purge suppressions', intervalMs: HOUR, run: () => purgeSuppressions(deps.db) },
  { name: 'purge recipients', intervalMs: HOUR, run: () => purgeRecipients(deps.db) },
  { name: 'purge networks', intervalMs: HOUR, run: () => purgeNetworks(deps) },
  { name: 'purge rate limits', intervalMs: HOUR, run: () => purgeRateLimits(deps.db) },
  { name: 'purge identifiers', intervalMs: HOUR, run: () => purgeIdentifiers(deps.db) },
  { name: 'purge Telegram attempts', intervalMs: HOUR, run: () => purgeAttempts(deps.db) },
  { name: 'purge wallet messages', intervalMs: HOUR, run: () => purgeMessages(deps.db) },
  { name: 'purge deliveries', intervalMs: HOUR, run: () => purgeDeliveries(deps.db) },
  { name: 'purge pictures', intervalMs: HOUR, run: () => purgePictures(deps.db) },
  { name: 'purge challenges', intervalMs: HOUR, run: () => purgeSpentChallenges(deps.db) },
  ...(backUp ? [{ name: 'backup', intervalMs: MINUTE, run: backUp }] : []),
]
