import type { Deps } from '#server/deps.ts'
import { rejectClaimsOfAccount } from '#server/domain/claims/decisions/reject-claims-of-account.ts'
import { releaseReviewLocksOf } from '#server/domain/claims/decisions/review-lock.ts'
import { announce } from '#server/domain/events/announce.ts'
import { record } from '#server/domain/journal/record.ts'
import { setListed } from '#server/domain/ledger/board.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { releaseReservations } from '#server/domain/slots/free-slot.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { refuse } from '#server/platform/refusal.ts'
import { closeCodes } from '../codes/one-time-codes.ts'
import { lockAccount, type LockedAccount } from '../lock-account.ts'
import { voidResetTokens } from '../password/reset-password.ts'
import { type ChangedBy, lockAdministrators, refuseIfLast } from '../roles/administrators.ts'

type BanOptions = {
  userId: string
  /** Shown to the banned person. */
  reason: string
  /** Whether approvals are revoked, except in archived campaigns; otherwise they stay, but are not paid. */
  revokesApproval: boolean
  by: ChangedBy
}

/**
 * Bans an account in all campaigns: ends its sessions, rejects its undecided claims, releases its
 * reservations and takes it off the leaderboards. Its invitations earn nothing from now on.
 * @throws refusals `person_not_found`, `person_deleted`, `already_banned`, `last_administrator`, and as
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
  await setListed(tx, account.id, false)
  await endSessions(tx, account.id)
  await voidResetTokens(tx, account.id)
  await closeCodes(tx, 'reset-password', account.email_key)
  await releaseReviewLocksOf(tx, account.id)
}

/** Records the ban in the journal, queues its email and notifies the nodes. */
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
