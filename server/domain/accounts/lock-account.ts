import { type Selectable, sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import type { Claims, Users } from '#server/platform/database/database.types.ts'
import { refuse } from '#server/platform/refusal.ts'

export type LockedAccount = {
  account: Selectable<Users>
  /** In all campaigns, oldest first. */
  claims: Selectable<Claims>[]
  /** The ids of archived campaigns, whose decisions are final. */
  archivedIds: readonly string[]
}

/**
 * Locks an account with its claims, and all campaigns with their slots, until the transaction ends, in the
 * order of all transactions (docs/architecture.md). A claim that is submitted meanwhile waits, and is refused
 * if this transaction bans the account.
 * @throws refusals `person_not_found` and `person_deleted`.
 */
export async function lockAccount(tx: Tx, userId: string): Promise<LockedAccount> {
  const { claims, archivedIds } = await lockClaimsAndCampaigns(tx, userId)
  const account = await tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!account) throw refuse('person_not_found')
  if (account.deleted_at) throw refuse('person_deleted')
  return { account, claims, archivedIds }
}

/** Claims are locked first, so this starts over if one was submitted while it waited for the campaigns. */
async function lockClaimsAndCampaigns(tx: Tx, userId: string): Promise<Omit<LockedAccount, 'account'>> {
  await sql`savepoint before_claims`.execute(tx)
  for (;;) {
    const claims = await lockClaims(tx, userId)
    const campaigns = await tx
      .selectFrom('campaigns')
      .select(['id', 'archived_at'])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const current = await tx.selectFrom('claims').select('id').where('user_id', '=', userId).execute()
    if (current.length === claims.length) {
      return { claims, archivedIds: campaigns.flatMap(({ id, archived_at }) => (archived_at ? [id] : [])) }
    }
    await sql`rollback to savepoint before_claims`.execute(tx)
  }
}

/** Uses the index `claims_by_user`. */
async function lockClaims(tx: Tx, userId: string): Promise<Selectable<Claims>[]> {
  const { rows } = await sql<Selectable<Claims>>`
    select * from claims where user_id = ${userId} order by submitted_at, id for no key update`.execute(tx)
  return rows
}

/**
 * Keeps the caller's account from being deleted until the transaction ends. Otherwise the deletion would miss
 * what the transaction adds.
 * @throws refusal `unauthenticated` if the account has been deleted.
 */
export async function lockOwnAccount(tx: Tx, userId: string): Promise<void> {
  const account = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!account) throw refuse('unauthenticated')
}
