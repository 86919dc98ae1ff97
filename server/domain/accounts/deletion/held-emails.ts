import { sql } from 'kysely'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import type { Keys } from '#server/platform/secrets.ts'

/** Until when username and email of a deleted account stay taken: as long as one can appeal a rejection. */
export const HELD_UNTIL = sql<Date>`now() + make_interval(hours => ${sql.lit(SLOT_HOURS)})`

/** Keyed, so that a stolen database does not tell whose account was deleted. */
const hashOf = (keys: Keys, emailKey: string) => keys.hmac('held-email', emailKey)

/** Keeps an email from registering for a while. */
export async function holdEmail(tx: Tx, keys: Keys, emailKey: string): Promise<void> {
  await tx
    .insertInto('held_emails')
    .values({ hash: hashOf(keys, emailKey), until: HELD_UNTIL })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ until: HELD_UNTIL }))
    .execute()
}

/** Whether the account of an email was deleted a short while ago. */
export async function isEmailHeld(tx: Tx, keys: Keys, emailKey: string): Promise<boolean> {
  const held = await tx
    .selectFrom('held_emails')
    .select('hash')
    .where('hash', '=', hashOf(keys, emailKey))
    .where('until', '>', NOW)
    .executeTakeFirst()
  return held !== undefined
}
