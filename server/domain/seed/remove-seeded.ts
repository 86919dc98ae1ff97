import type { Deps } from '#server/deps.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { SEEDED_DOMAIN } from './fake-people.ts'

const BATCH_SIZE = 500

/**
 * Deletes all made-up participants, reverses their points and frees their slots. Append-only tables keep
 * their rows, without anything personal.
 * @returns how many there were.
 */
export async function removeSeeded(deps: Pick<Deps, 'db' | 'keys' | 'runSoon'>): Promise<number> {
  let removed = 0
  for (;;) {
    const batch = await deps.db
      .selectFrom('users')
      .select('id')
      .where('email', 'like', `%.${SEEDED_DOMAIN}`)
      .where('role', '=', 'user')
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    if (batch.length === 0) return removed
    for (const { id: userId } of batch) await deleteAccount(deps, { userId, by: null, isMadeUp: true })
    removed += batch.length
  }
}
