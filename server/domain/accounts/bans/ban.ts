import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import type { ReviewAction } from '#server/domain/claims/decisions/lock-claim.ts'
import { rejectClaimsOfAccount } from '#server/domain/claims/decisions/reject-claims-of-account.ts'
import { releaseReviewLocksOf } from '#server/domain/claims/decisions/review-lock.ts'
import { undoInTransaction } from '#server/domain/claims/decisions/undo.ts'
import { latestClaim } from '#server/domain/claims/latest-claim.ts'
import { announce } from '#server/domain/events/announce.ts'
import { record } from '#server/domain/journal/record.ts'
import { addToLeaderboard, setOnLeaderboard } from '#server/domain/ledger/board.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { releaseReservations } from '#server/domain/slots/keep-or-free-slot.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { Refusal, refuse } from '#server/platform/refusal.ts'
import { closeCodes } from '../codes/one-time-codes.ts'
import { lockAccount, type LockedAccount } from '../lock-account.ts'
import { voidResetTokens } from '../password/password.ts'
import {
  type ChangedBy,
  lockAdministrators,
  refuseIfLast,
  withdrawOffersOf,
} from '../roles/administrators.ts'

type BanOptions = {
  userId: string
  /** Shown to the banned person. */
  reason: string
  /** Rejects approved claims too, except in archived campaigns. An approval that stays is not paid. */
  revokesApproval: boolean
  by: ChangedBy
}

/**
 * Bans an account in all campaigns: ends its sessions, rejects its undecided claims, releases the slots that
 * are reserved for it and takes it off the leaderboards. Its invitations earn nothing from now on.
 * @throws refusals `person_not_found`, `person_deleted`, `already_banned`, `last_administrator`, and those of
 * {@link lockAdministrators}.
 */
export async function ban(deps: Pick<Deps, 'db' | 'runSoon'>, options: BanOptions): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await lockAdministrators(tx, options.by, options.userId)
    const locked = await lockAccount(tx, options.userId)
    if (locked.account.banned_at) throw refuse('already_banned')
    if (locked.account.role === 'admin') await refuseIfLast(tx, options.userId)
    await closeAccount(tx, locked, options)
    await recordBan(tx, locked, options)
  })
  deps.runSoon('slots')
  deps.runSoon('mail')
}

async function closeAccount(
  tx: Tx,
  { account, claims, archivedIds }: LockedAccount,
  { reason, revokesApproval, by }: BanOptions,
): Promise<void> {
  const changeable = claims.filter(({ campaign_id }) => !archivedIds.includes(campaign_id))
  await rejectClaimsOfAccount(tx, changeable, { reason: 'account_banned', revokesApproval, by })
  await releaseReservations(tx, account.id)
  await tx
    .updateTable('users')
    .set({ banned_at: NOW, ban_reason: reason, role_offered_at: null, role_offered_by: null })
    .where('id', '=', account.id)
    .execute()
  await setOnLeaderboard(tx, account.id, false)
  await endSessions(tx, account.id)
  await voidResetTokens(tx, account.id)
  await closeCodes(tx, 'reset-password', account.email_key)
  await releaseReviewLocksOf(tx, account.id)
  if (account.role === 'admin') await withdrawOffersOf(tx, account.id, by) // which they made
}

async function recordBan(tx: Tx, { account }: LockedAccount, { reason, revokesApproval, by }: BanOptions) {
  await record(tx, {
    actor: by.userId,
    action: 'user.banned',
    subject: account.id,
    before: { role: account.role },
    after: { revokes_approval: revokesApproval },
    details: { reason },
    network: by.network,
  })
  await mailUser(tx, account.id, 'account-banned', { reason })
  await announce(tx, 'leaderboard')
  await announce(tx, 'slots')
}

/**
 * What became of the claim that the ban rejected: it is in review again, gets the next free slot, or stays
 * rejected. `none` if there was no such claim.
 */
export type ReopenOutcome = 'reopened' | 'next_slot' | 'rejected' | 'none'

type UnbanOptions = { userId: string; network: string; reviewer: Caller }

/**
 * Lifts a ban and reopens the claim that it rejected, in one transaction: a second call could not reopen the
 * claim, because it is refused once the ban is lifted.
 * @throws refusals `person_not_found`, `person_deleted`, `not_banned`, and those of
 * {@link lockAdministrators}.
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

/** Lifts a ban without reopening a claim. @throws the refusals of {@link unban}. */
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

/** Puts a participant back on the leaderboard. Does nothing for administrators, who are never on it. */
export async function relist(
  tx: Tx,
  campaignId: string,
  account: { id: string; role: string },
): Promise<void> {
  if (account.role !== 'user') return
  await addToLeaderboard(tx, campaignId, account.id)
  await setOnLeaderboard(tx, account.id, true)
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

async function reopen(tx: Tx, deps: Deps, action: ReviewAction): Promise<ReopenOutcome> {
  await sql`savepoint reopening`.execute(tx)
  try {
    const { status } = await undoInTransaction(tx, deps, action)
    // Without a free slot, the rejection is undone as soon as there is one.
    return status === 'rejected' ? 'next_slot' : 'reopened'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Another claim uses the same wallet, handle or post by now, or the campaign is closed.
    await sql`rollback to savepoint reopening`.execute(tx)
    return 'rejected'
  }
}
