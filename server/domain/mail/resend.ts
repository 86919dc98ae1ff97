import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { CAN_RESEND, IS_EMAIL } from './outbox.ts'

/**
 * Attempts an email again now. The email keeps its job, and so its Message-ID.
 * @throws refusal `mail_not_found`, or `mail_not_resendable` if it was sent, is being sent, is out of date or
 * waits for its first attempt.
 */
export async function resend(deps: Deps, id: string, by: Attribution): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const { rows } = await sql`select from jobs j where j.id = ${id} and ${IS_EMAIL}`.execute(tx)
    if (rows.length === 0) throw refuse('mail_not_found')
    if ((await requeue(tx, sql`j.id = ${id}`)) === 0) throw refuse('mail_not_resendable')
    await record(tx, { ...by, action: 'mail.resent', subject: id, after: { count: 1 } })
  })
  runMailJobsSoon(deps)
}

/**
 * Attempts again the emails that failed within the last `hours` hours, except suppressed and outdated ones.
 * @returns how many.
 */
export async function resendFailed(deps: Deps, hours: number, by: Attribution): Promise<number> {
  const resent = await inTransaction(deps.db, async (tx) => {
    const count = await requeue(
      tx,
      sql`j.dead_at > now() - make_interval(hours => ${hours}) and not exists (
        select from mail_answers a where a.job = j.id and a.outcome = 'suppressed')`,
    )
    if (count > 0) await record(tx, { ...by, action: 'mail.resent', after: { count } })
    return count
  })
  runMailJobsSoon(deps)
  return resent
}

/** Queues the emails again as if they had never been attempted. @returns how many. */
async function requeue(tx: Tx, condition: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await sql`
    update jobs j set dead_at = null, run_at = now(), attempts = 0, last_error = null
    where ${IS_EMAIL} and ${CAN_RESEND} and ${condition}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

function runMailJobsSoon({ runSoon }: Deps) {
  runSoon('mail')
  runSoon('announcement emails')
}
