import { sql } from 'kysely'
import type { mailFlow } from '#contract/dashboard/mail.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'

type Flow = ReplyOf<typeof mailFlow>['data']

/** A code that has waited this long is late: its turn and one reply of the mail server take less. */
const LATE_AFTER_SECONDS = 20
/** How long a node relies on the mail server's last answer. */
const ANSWER_TTL_MS = 30_000

type Options = {
  /** Whether the mail server would take emails now. Never rejects. */
  answers: () => Promise<boolean>
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number
}

/**
 * Creates what tells those who wait for a code whether emails leave promptly. Its reply must not reveal who
 * has an account (docs/decisions/044), so it depends on two things: whether the mail server responds, asked
 * at most every 30 seconds and only while somebody waits, and how late the codes of registrations are.
 */
export function createMailFlow(deps: Deps, { answers, now = () => performance.now() }: Options) {
  let latest: { answers: boolean; at: number } | undefined
  let asking: Promise<void> | undefined
  const askMailServer = async () => {
    latest = { answers: await answers(), at: now() }
    asking = undefined
  }
  return async (): Promise<Flow> => {
    // Asked in the background, so no call waits for a mail server that does not respond.
    if (latest === undefined || now() - latest.at > ANSWER_TTL_MS) asking ??= askMailServer()
    const late = await secondsLate(deps.db)
    if (latest?.answers === false) return { flow: 'stopped', minutes: 0 }
    if (late >= LATE_AFTER_SECONDS) return { flow: 'slow', minutes: Math.ceil(late / 60) }
    return { flow: latest ? 'prompt' : 'unknown', minutes: 0 }
  }
}

/**
 * How long the oldest code of a registration has waited. Only registrations count: the address that they name
 * is emailed either way, while a password reset emails only accounts. Uses the index codes_by_expiry.
 */
async function secondsLate(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from now() - c.starts_at)), 0)::float8 as seconds
    from codes c join jobs j on j.id = c.mail_job
    where c.expires_at > now() and c.starts_at <= now() and c.purpose = 'verify-email'
      and j.done_at is null and j.dead_at is null`.execute(db)
  return rows[0]?.seconds ?? 0
}
