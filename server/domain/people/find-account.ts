import { sql } from 'kysely'
import { USERNAME_PATTERN } from '#contract/protocol/fields.ts'
import type { Database } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readEmail, lookalikeKey } from '../accounts/validate-fields.ts'

export type Account = { id: string; username: string }

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds an account by email, username or id, but a deleted one only by its id. A look-alike username also
 * matches, since registration treats both as the same.
 * @returns `problem`, a sentence, if there is no such account.
 */
export async function findAccount(db: Database, who: string): Promise<Account | { problem: string }> {
  const users = db.selectFrom('users').select(['users.id', 'users.username'])
  if (UUID.test(who)) {
    const account = await users.where('users.id', '=', who.toLowerCase()).executeTakeFirst()
    return account ?? { problem: `There is no account with the ID ${who}.` }
  }
  if (who.includes('@')) {
    const key = emailKeyOf(who)
    if (key === undefined) return { problem: `${who} is not an email address.` }
    const account = await users.where('users.email_key', '=', key).executeTakeFirst()
    return account ?? { problem: `There is no account with the email ${who}.` }
  }
  if (!USERNAME_PATTERN.test(who))
    return { problem: `${who} is neither an email address nor a username nor an ID.` }
  const account =
    (await users
      .where(sql`lower(users.username)`, '=', who.toLowerCase())
      .where('deleted_at', 'is', null)
      .executeTakeFirst()) ??
    (await users
      .innerJoin('usernames as n', 'n.user_id', 'users.id')
      .where('n.key', '=', lookalikeKey(who))
      .executeTakeFirst())
  return account ?? { problem: `There is no account with the username ${who}.` }
}

function emailKeyOf(typed: string): string | undefined {
  try {
    return readEmail(typed).key
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
