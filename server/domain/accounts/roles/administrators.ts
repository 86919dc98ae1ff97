import { record } from '#server/domain/journal/record.ts'
import { lockByName } from '#server/platform/database/advisory-lock.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'

/** The administrator who changes an account. `userId` is null for the operator on the command line. */
export type ChangedBy = { userId: string | null; network?: string | undefined }

/**
 * Serializes changes of roles and bans: if two administrators remove each other, one remains. Take this lock
 * before any other.
 * @throws refusals `own_account` if `by` is this user, and `forbidden` if `by` is no longer an administrator.
 */
export async function lockAdministrators(tx: Tx, by: ChangedBy, userId: string): Promise<void> {
  await lockByName(tx, 'administrators')
  if (by.userId === null) return
  if (by.userId === userId) throw refuse('own_account')
  await refuseUnlessAdministrator(tx, by.userId)
}

/**
 * For calls that may have waited since they were authorized.
 * @throws refusal `forbidden` if the account has lost the role or has been banned meanwhile.
 */
export async function refuseUnlessAdministrator(tx: Tx, userId: string): Promise<void> {
  const administrator = await administrators(tx).where('id', '=', userId).executeTakeFirst()
  if (!administrator) throw refuse('forbidden')
}

/**
 * Call it after {@link lockAdministrators}.
 * @throws refusal `last_administrator` if no other administrator would remain.
 */
export async function refuseIfLast(tx: Tx, userId: string): Promise<void> {
  const other = await administrators(tx).where('id', '!=', userId).limit(1).executeTakeFirst()
  if (!other) throw refuse('last_administrator')
}

/** The administrators who are not banned. */
export function readAdministrators(db: Database | Tx): Promise<{ username: string; email: string }[]> {
  return administrators(db).orderBy('id').execute()
}

/** Uses the index `users_administrators`. */
const administrators = (db: Database | Tx) =>
  db
    .selectFrom('users')
    .select(['username', 'email'])
    .where('role', '=', 'admin')
    .where('banned_at', 'is', null)

/**
 * Withdraws the offers of the role that an administrator has made and no one has accepted yet. Call it when
 * they lose the role or are banned: with an offer to an account of their own, they could come back.
 */
export async function withdrawOffersOf(tx: Tx, userId: string, by: ChangedBy): Promise<void> {
  const offered = await tx
    .updateTable('users')
    .set({ role_offered_at: null, role_offered_by: null })
    .where('role_offered_by', '=', userId)
    .returning('id')
    .execute()
  const entries = offered.map(({ id: subject }) => ({
    actor: by.userId,
    action: 'role.offer_withdrawn' as const,
    subject,
    before: { role: 'user' },
    after: { role: 'user' }, // the offer was never accepted
    network: by.network,
  }))
  await record(tx, ...entries)
}
