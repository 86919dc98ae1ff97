import type { Deps } from '#server/deps.ts'
import { refuse, type Refusal } from '#server/platform/refusal.ts'

type Owner = { username: string; email: string; passwordHash: string }

/**
 * Verifies a password against that of an account.
 * @param field the form's field, which the refusal names.
 * @returns the account.
 * @throws refusals `current_password_wrong`, and `unauthenticated` if the account has been deleted.
 */
export async function verifyCurrentPassword(
  { db, hasher }: Pick<Deps, 'db' | 'hasher'>,
  userId: string,
  password: string,
  field: string,
): Promise<Owner> {
  const user = await db
    .selectFrom('users')
    .select(['username', 'email', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw refuse('unauthenticated')
  const [isCorrect] = await hasher.matches(password, user.passwordHash)
  if (!isCorrect) throw wrongPassword(field)
  return user
}

export const wrongPassword = (field: string): Refusal =>
  refuse('current_password_wrong', { fields: { [field]: 'current_password_wrong' } })
