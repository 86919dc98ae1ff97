import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import type { Job, Outcome } from '#server/platform/jobs/jobs.ts'
import type { SecurityEvents } from '#server/platform/log/security-events.ts'
import { type Mail, SIX_DIGITS } from './compose.ts'
import type { QueuedMail } from './send-later.ts'
import { isSuppressed, endSuppression, suppress } from './suppressions.ts'
import { type MailContext, renderForRecipient, type Templates } from './templates.ts'
import type { Attempt, Transport } from './transport.ts'

export type DeliverDeps = {
  db: Database
  log: FastifyBaseLogger
  transport: Transport
  templates: Templates
  context: MailContext
  from: string
  security: SecurityEvents
}

/** The trigger in migrations/0049_announcement_mail_counts.sql recognizes suppressed emails by this text. */
export const SUPPRESSED = 'Not sent: this address has refused emails.'

export async function deliver(deps: DeliverDeps, job: Job, signal?: AbortSignal): Promise<Outcome> {
  const queued = job.payload as QueuedMail
  const mail = await renderForRecipient(deps.db, queued, deps.templates, deps.context)
  return (await sendRendered(deps, { job, queued, mail }, signal)).outcome
}

type Rendered = { job: Job; queued: QueuedMail; mail: Mail }

/**
 * Hands an email to the mail server, unless its address is suppressed. Stores and logs the answer. The
 * Message-ID derives from the job, so that mail servers recognize an email that is sent again after a crash.
 */
export async function sendRendered(
  deps: DeliverDeps,
  { job, queued, mail }: Rendered,
  signal?: AbortSignal,
): Promise<{ outcome: Outcome; isSuppressed: boolean }> {
  const { db, from, transport, context } = deps
  if (await isSuppressed(db, queued)) {
    await recordAnswer(db, job.id, { outcome: 'suppressed', answer: SUPPRESSED })
    return { outcome: { dead: SUPPRESSED }, isSuppressed: true }
  }
  const messageId = `<${job.id}@${new URL(context.publicUrl).hostname}>`
  const attempt = await transport.send({ ...mail, messageId, from, to: queued.to }, signal)
  const answer = attempt.answer === null ? null : withoutSecrets(attempt.answer, mail, context)
  const redacted = { ...attempt, answer } as Attempt
  logAttempt(deps, { job, queued, attempt: redacted })
  // The outcome counts even if the answer cannot be stored, because an accepted email must not be sent again.
  await storeAttempt(db, { job, queued, attempt: redacted }).catch((error: unknown) =>
    deps.log.error({ err: error, job: job.id }, 'could not store the mail server’s answer'),
  )
  return { outcome: asOutcome(redacted), isSuppressed: false }
}

/** Removes codes and links from an answer, because a mail server may quote the email that it refuses. */
function withoutSecrets(answer: string, { text }: Mail, { publicUrl }: MailContext): string {
  const codes = text.match(SIX_DIGITS) ?? []
  let withoutCodes = answer
  for (const code of codes) withoutCodes = withoutCodes.replaceAll(code, '…')
  return withoutCodes
    .split(' ')
    .map((word) => (word.includes(publicUrl) ? '…' : word))
    .join(' ')
}

type Attempted = { job: Job; queued: QueuedMail; attempt: Attempt }

function logAttempt({ security }: DeliverDeps, { job, queued, attempt: { outcome, answer } }: Attempted) {
  security.record({
    event: 'mail',
    outcome: outcome === 'accepted' ? 'sent' : outcome,
    ...(outcome === 'accepted' ? {} : { answer: answer ?? undefined }),
    template: queued.template,
    email: queued.to,
    job: job.id,
    attempt: job.attempts,
  })
}

async function storeAttempt(db: Database, { job, queued, attempt }: Attempted): Promise<void> {
  await recordAnswer(db, job.id, attempt)
  if (attempt.outcome === 'accepted') await endSuppression(db, queued.to)
  // A deletion is confirmed to an address that has just been erased, and that must not be stored again.
  if (attempt.outcome === 'refused' && attempt.hasNoMailbox && queued.template !== 'account-deleted')
    await suppressUnlessErased(db, job.id, queued.to, attempt.answer)
}

/**
 * Suppresses an email's address, unless the email's job is gone because the account has been deleted. A
 * concurrent deletion waits for the lock on the job, then deletes the suppression as well.
 */
function suppressUnlessErased(db: Database, job: string, address: string, answer: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const queuedJob = await tx
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', job)
      .forKeyShare()
      .executeTakeFirst()
    if (queuedJob) await suppress(tx, address, answer)
  })
}

type Answer = { outcome: Attempt['outcome'] | 'suppressed'; answer: string | null }

/** Stores the newest answer about an email. Does nothing if its job has been deleted meanwhile. */
export async function recordAnswer(db: Database, job: string, { outcome, answer }: Answer): Promise<void> {
  await sql`
    insert into mail_answers (job, outcome, answer) select id, ${outcome}, ${answer} from jobs where id = ${job}
    on conflict (job) do update
      set outcome = excluded.outcome, answer = excluded.answer, at = now()`.execute(db)
}

function asOutcome(attempt: Attempt): Outcome {
  if (attempt.outcome === 'accepted') return { done: true }
  return attempt.outcome === 'refused' ? { dead: attempt.answer } : { retry: attempt.answer }
}
