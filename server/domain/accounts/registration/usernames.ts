import type { RawBuilder } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { fromNow, NOW } from '#server/platform/database/times.ts'
import { lookalikeKey } from '../validate-fields.ts'

/**
 * Holds a username for an email if the name is free or already held for that email.
 * @param duration an SQL interval.
 * @returns whether the name is held for the email now.
 */
export function holdUsername(tx: Tx, username: string, emailKey: string, duration: string): Promise<boolean> {
  const until = fromNow(duration)
  return assign(tx, username, emailKey, { user_id: null, held_for: emailKey, held_until: until })
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
