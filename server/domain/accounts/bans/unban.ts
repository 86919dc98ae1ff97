import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import type { ReviewAction } from '#server/domain/claims/decisions/lock-claim.ts'
import { undoInTransaction } from '#server/domain/claims/decisions/undo.ts'
import { latestClaim } from '#server/domain/claims/latest-claim.ts'
import { announce } from '#server/domain/events/announce.ts'
import { record } from '#server/domain/journal/record.ts'
import { addToLeaderboard, setListed } from '#server/domain/ledger/board.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { Refusal, refuse } from '#server/platform/refusal.ts'
import { lockAccount } from '../lock-account.ts'
import { type ChangedBy, lockAdministrators } from '../roles/administrators.ts'

/**
 * What became of the claim that the ban rejected: it is in review again, waits for the next slot, or stays
 * rejected. `none` if the ban rejected no claim.
 */
export type ReopenOutcome = 'reopened' | 'next_slot' | 'rejected' | 'none'

type UnbanOptions = { userId: string; network: string; reviewer: Caller }

/**
 * Lifts a ban and reopens the claim that it rejected. One transaction does both: once the ban is lifted, a
 * second call is refused and could not reopen the claim.
 * @throws refusals `person_not_found`, `person_deleted`, `not_banned`, and as {@link lockAdministrators}.
 */
export async function unban(deps: Deps, { userId, network, reviewer }: UnbanOptions): Promise<ReopenOutcome> {
  const reopened = await inTransaction(deps.db, async (tx) => {
    await liftBanInTransaction(tx, deps, { userId, by: { userId: reviewer.userId, network } })
    const claimId = await findClaimToReopen(tx, deps, userId)
    return claimId === undefined ? 'none' : reopen(tx, deps, { claimId, reviewer, network })
  })
  deps.runSoon('mail')
  return reopened
}

type Lift = { userId: string; by: ChangedBy }

/** Lifts a ban; claims that it rejected stay as they are. @throws as {@link unban}. */
export async function liftBan(deps: Pick<Deps, 'db' | 'campaign' | 'runSoon'>, lift: Lift): Promise<void> {
  await inTransaction(deps.db, (tx) => liftBanInTransaction(tx, deps, lift))
  deps.runSoon('mail')
}

async function liftBanInTransaction(tx: Tx, { campaign }: Pick<Deps, 'campaign'>, { userId, by }: Lift) {
  await lockAdministrators(tx, by, userId)
  const { account } = await lockAccount(tx, userId)
  if (!account.banned_at) throw refuse('not_banned')
  await tx.updateTable('users').set({ banned_at: null, ban_reason: null }).where('id', '=', userId).execute()
  await relist(tx, campaign.id, account)
  await record(tx, { actor: by.userId, action: 'user.unbanned', subject: userId, network: by.network })
  await mailUser(tx, userId, 'account-unbanned')
}

/** Puts a participant back on the leaderboard; administrators are never on it. */
export async function relist(
  tx: Tx,
  campaignId: string,
  account: { id: string; role: string },
): Promise<void> {
  if (account.role !== 'user') return
  await addToLeaderboard(tx, campaignId, account.id)
  await setListed(tx, account.id, true)
  await announce(tx, 'leaderboard')
}

async function findClaimToReopen(tx: Tx, { campaign }: Deps, userId: string): Promise<string | undefined> {
  const claim = await tx
    .selectFrom(latestClaim(campaign.id, userId).as('c'))
    .select('c.id')
    .where('c.reason_code', '=', 'account_banned')
    .executeTakeFirst()
  return claim?.id
}

/** Undoes the rejection by the ban; if that is refused, the claim stays rejected. */
async function reopen(tx: Tx, deps: Deps, action: ReviewAction): Promise<ReopenOutcome> {
  await sql`savepoint reopening`.execute(tx)
  try {
    const { status } = await undoInTransaction(tx, deps, action)
    // Without a free slot, the undo takes effect only when there is one.
    return status === 'rejected' ? 'next_slot' : 'reopened'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The claim's wallet, handle or post belongs to another claim by now, or the campaign is closed.
    await sql`rollback to savepoint reopening`.execute(tx)
    return 'rejected'
  }
}
