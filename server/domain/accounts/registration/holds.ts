import { type RawBuilder, sql } from 'kysely'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { fromNow, NOW } from '#server/platform/database/times.ts'
import type { Keys } from '#server/platform/secrets.ts'
import { flowBrowserOf } from '../flow-browser.ts'
import { lookalikeKey } from '../validate-fields.ts'

// Which usernames and emails are taken, and until when.

/**
 * Holds a username for an email if the name is free or already held for that email.
 * @param duration an SQL interval.
 * @returns whether the name is held for the email now.
 */
export function holdUsername(tx: Tx, username: string, emailKey: string, duration: string): Promise<boolean> {
  const until = fromNow(duration)
  return assign(tx, username, emailKey, { user_id: null, held_for: emailKey, held_until: until })
}

/**
 * Releases a username that this browser alone has registered, with an email that is now corrected. If
 * another browser has registered both, the name stays: a stranger could take it from whoever gets the code.
 * @param flowCookie unverified.
 */
export async function releaseFromMistyped(
  tx: Tx,
  keys: Keys,
  username: string,
  flowCookie: string | undefined,
): Promise<void> {
  const key = lookalikeKey(username)
  const nameQuery = tx.selectFrom('usernames').select('held_for').where('key', '=', key)
  const { held_for: emailKey } = (await nameQuery.forUpdate().executeTakeFirst()) ?? {}
  if (!emailKey) return
  const browser = flowBrowserOf(keys, emailKey, flowCookie)
  const pending = await tx
    .selectFrom('registrations')
    .select(['username', 'browser'])
    .where('email_key', '=', emailKey)
    .execute()
  const isHeldByOthers = pending.some(
    (other) => other.browser !== browser && lookalikeKey(other.username) === key,
  )
  if (browser !== undefined && !isHeldByOthers)
    await tx.deleteFrom('usernames').where('key', '=', key).execute()
}

/** Gives a user a username for good if it is free or held for their email. @returns whether it is theirs. */
export function takeUsername(tx: Tx, username: string, userId: string, emailKey: string): Promise<boolean> {
  return assign(tx, username, emailKey, { user_id: userId, held_for: null, held_until: null })
}

type Assignment = { user_id: string | null; held_for: string | null; held_until: RawBuilder<Date> | null }

async function assign(tx: Tx, username: string, emailKey: string, values: Assignment): Promise<boolean> {
  const assigned = await tx
    .insertInto('usernames')
    .values({ key: lookalikeKey(username), ...values })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(values)
        .where('usernames.user_id', 'is', null)
        .where((where) =>
          where.or([where('usernames.held_for', '=', emailKey), where('usernames.held_until', '<', NOW)]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  return assigned !== undefined
}

/** How long username and email of a deleted account stay taken: as long as a rejection can be appealed. */
const HELD_UNTIL = sql<Date>`now() + make_interval(hours => ${sql.lit(SLOT_HOURS)})`

/** Keeps anyone from registering a deleted account's username or email for a while. */
export async function holdDeleted(tx: Tx, keys: Keys, account: { id: string; email_key: string }) {
  // An id is no email's key, so the name is held for nobody.
  await tx
    .updateTable('usernames')
    .set({ user_id: null, held_for: account.id, held_until: HELD_UNTIL })
    .where('user_id', '=', account.id)
    .execute()
  await tx
    .insertInto('held_emails')
    .values({ hash: hashOf(keys, account.email_key), until: HELD_UNTIL })
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

/** Keyed, so that a stolen database does not tell whose account was deleted. */
const hashOf = (keys: Keys, emailKey: string) => keys.hmac('held-email', emailKey)
