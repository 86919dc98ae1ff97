import { sql } from 'kysely'
import type { mailFlow } from '#contract/dashboard/mail.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'

type Flow = ReplyOf<typeof mailFlow>['data']

/** After this time, a code is late. Usually the mail server has accepted it sooner. */
const LATE_AFTER_SECONDS = 20
/** How old the mail server's last answer may be before it is asked again. The old answer counts meanwhile. */
export const ASK_AGAIN_AFTER_MS = 30_000

type Options = {
  /** Whether the mail server would take emails now. Never rejects. */
  takesEmails: () => Promise<boolean>
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number
}

/**
 * Creates the function that tells people who wait for a code whether emails leave promptly now. Its reply
 * must not reveal whether an email has an account (docs/decisions/044). Therefore it depends only on whether
 * the mail server takes emails and on how late the codes of registrations are. The mail server is asked only
 * while somebody waits.
 */
export function createMailFlow(deps: Deps, { takesEmails, now = () => performance.now() }: Options) {
  let latest: { takesEmails: boolean; atMs: number } | undefined
  let asking: Promise<void> | undefined
  const askMailServer = async () => {
    latest = { takesEmails: await takesEmails(), atMs: now() }
    asking = undefined
  }
  return async (): Promise<Flow> => {
    // Not awaited, so that no call waits for a mail server that does not respond.
    if (latest === undefined || now() - latest.atMs > ASK_AGAIN_AFTER_MS) asking ??= askMailServer()
    const waitedSeconds = await readWaitSeconds(deps.db)
    if (latest?.takesEmails === false) return { flow: 'stopped', minutes: 0 }
    if (waitedSeconds >= LATE_AFTER_SECONDS) return { flow: 'slow', minutes: Math.ceil(waitedSeconds / 60) }
    return { flow: latest ? 'prompt' : 'unknown', minutes: 0 }
  }
}

/**
 * How many seconds the oldest code of a registration has waited. Password resets do not count, because they
 * send emails only to accounts, while registrations send emails to any address. Uses the index
 * `codes_by_expiry`.
 */
async function readWaitSeconds(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from now() - c.starts_at)), 0)::float8 as seconds
    from codes c join jobs j on j.id = c.mail_job
    where c.expires_at > now() and c.starts_at <= now() and c.purpose = 'verify-email'
      and j.done_at is null and j.dead_at is null`.execute(db)
  return rows[0]?.seconds ?? 0
}
