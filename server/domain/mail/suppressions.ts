import { sql } from 'kysely'
import type { SuppressedAddress } from '#contract/dashboard/mail.ts'
import type { Deps } from '#server/deps.ts'
import { readEmail } from '#server/domain/accounts/validate-fields.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { ago, fromNow, NOW } from '#server/platform/database/times.ts'
import { maskEmail } from '#server/platform/log/mask-email.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { QueuedMail } from './send-later.ts'

/** A requested code is always sent, whatever happened to earlier emails (docs/decisions/044). */
const ALWAYS_ATTEMPTED = new Set(['verify-email', 'reset-password'])
const ANNOUNCEMENT = 'announcement'

/** After the first refusal, an address is suppressed for a day, after the next for two, four … 32 days. */
const FIRST_DURATION = sql`interval '1 day'`
const MAX_DOUBLINGS = 5
const FORGOTTEN_AFTER = '1 year'
/** An administrator's suppression lasts until it is removed. */
const MANUAL_DURATION = '100 years'

/** Makes the same key as `readEmail`. */
const keyOf = (address: string) => address.toLowerCase()

/** Whether a suppression keeps an email from being sent: until its end, or for announcements even after it. */
export async function isSuppressed(db: Database, { template, to }: QueuedMail): Promise<boolean> {
  if (ALWAYS_ATTEMPTED.has(template)) return false
  const suppression = await db
    .selectFrom('suppressions')
    .select('id')
    .where('email_key', '=', keyOf(to))
    .$if(template !== ANNOUNCEMENT, (query) => query.where('until', '>', NOW))
    .executeTakeFirst()
  return suppression !== undefined
}

/** Lasts longer with each refusal. Does not change an administrator's suppression, which has no `answer`. */
export async function suppress(db: Database | Tx, address: string, answer: string): Promise<void> {
  await db
    .insertInto('suppressions')
    .values({ id: newId(), email_key: keyOf(address), answer, until: sql<Date>`now() + ${FIRST_DURATION}` })
    .onConflict((conflict) =>
      conflict
        .column('email_key')
        .doUpdateSet({
          answer,
          refusals: sql<number>`suppressions.refusals + 1`,
          refused_at: NOW,
          until: sql<Date>`greatest(suppressions.until,
            now() + ${FIRST_DURATION} * power(2, least(suppressions.refusals, ${sql.lit(MAX_DOUBLINGS)})))`,
        })
        .where('suppressions.answer', 'is not', null),
    )
    .execute()
}

/** For an address that has just accepted an email. Does not end an administrator's suppression. */
export async function endSuppression(db: Database, address: string): Promise<void> {
  await db
    .deleteFrom('suppressions')
    .where('email_key', '=', keyOf(address))
    .where('answer', 'is not', null)
    .execute()
}

const MAX_LISTED = 200

export async function listSuppressions(db: Database): Promise<{ data: SuppressedAddress[]; total: number }> {
  const all = db.selectFrom('suppressions')
  const [rows, { total }] = await Promise.all([
    all.selectAll().orderBy('refused_at', 'desc').orderBy('id').limit(MAX_LISTED).execute(),
    all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const data = rows.map(({ id, email_key, answer, refusals, refused_at, until }) => ({
    id,
    email: maskEmail(email_key),
    answer,
    refusals,
    refusedAt: refused_at.toISOString(),
    until: answer === null ? null : until.toISOString(),
  }))
  return { data, total }
}

export async function addSuppression({ db }: Deps, email: string, by: Attribution): Promise<void> {
  const { key } = readEmail(email)
  await inTransaction(db, async (tx) => {
    const values = { answer: null, until: fromNow(MANUAL_DURATION) }
    const { id } = await tx
      .insertInto('suppressions')
      .values({ id: newId(), email_key: key, ...values })
      .onConflict((conflict) => conflict.column('email_key').doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, { ...by, action: 'mail.suppressed', subject: id })
  })
}

/** @throws refusal `suppression_not_found`. */
export async function removeSuppression({ db }: Deps, id: string, by: Attribution): Promise<void> {
  await inTransaction(db, async (tx) => {
    const removed = await tx
      .deleteFrom('suppressions')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!removed) throw refuse('suppression_not_found')
    await record(tx, { ...by, action: 'mail.unsuppressed', subject: id })
  })
}

export async function purgeSuppressions(db: Database): Promise<void> {
  await db
    .deleteFrom('suppressions')
    .where('answer', 'is not', null)
    .where('refused_at', '<', ago(FORGOTTEN_AFTER))
    .execute()
}
