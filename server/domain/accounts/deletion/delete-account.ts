import { sql } from 'kysely'
import { DEFAULT_LOCALE, localeNamed } from '#contract/locales.ts'
import type { Deps } from '#server/deps.ts'
import { eraseRecipient } from '#server/domain/announcements/announcement.ts'
import { rejectClaimsOfAccount } from '#server/domain/claims/decisions/reject-claims-of-account.ts'
import { eraseClaims } from '#server/domain/claims/erase-claims.ts'
import { announce } from '#server/domain/events/announce.ts'
import { eraseDetailsInTransaction } from '#server/domain/journal/erase-details.ts'
import { record } from '#server/domain/journal/record.ts'
import { setOnLeaderboard } from '#server/domain/ledger/board.ts'
import { eraseMails } from '#server/domain/mail/outbox.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { takeBackReward } from '#server/domain/referrals/referrer.ts'
import { releaseReservations } from '#server/domain/slots/keep-or-free-slot.ts'
import { eraseSecondFactor } from '#server/domain/two-factor/factor.ts'
import { eraseDeliveries } from '#server/domain/webhooks/deliveries.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { eraseVisitsAndLinks } from '#server/domain/signals/link-accounts.ts'
import { eraseTelegram } from '#server/domain/telegram/account.ts'
import { eraseWallets } from '#server/domain/wallets/proven-wallet.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import { lockEmail } from '../codes/one-time-codes.ts'
import { lockAccount, type LockedAccount } from '../lock-account.ts'
import { verifyCurrentPassword, voidResetTokens } from '../password/password.ts'
import { holdDeleted } from '../registration/holds.ts'
import { deletePendingRegistrations } from '../registration/verify-email.ts'

type Account = LockedAccount['account']

/**
 * @param input `confirmation` is the username.
 * @throws refusal `current_password_wrong`, and those of {@link deleteAccount}.
 */
export async function deleteOwnAccount(
  deps: Deps,
  { userId }: Caller,
  input: { password: string; confirmation: string },
): Promise<void> {
  await verifyCurrentPassword(deps, userId, input.password, 'password')
  await deleteAccount(deps, { userId, confirmation: input.confirmation, by: userId })
}

type Deletion = {
  userId: string
  /** The username as typed. Absent if the caller was not asked for it. */
  confirmation?: string
  /** Null for the operator on the command line. */
  by: string | null
  /** Created by `npm run seed`: approvals are revoked, no email is sent, name and email are free at once. */
  isMadeUp?: boolean
}

/**
 * Deletes an account (right to erasure, GDPR) and mails a confirmation. What others rely on stays, without
 * anything personal: the account's row with its id, decided claims without their proof, the ledger, frozen
 * allocations and sealed journal entries. Everything else is erased. Name and email stay taken for a while.
 * @throws refusals `person_not_found`, `person_deleted`, `administrator_account`, and `invalid_input` naming
 * `confirmation`.
 */
export async function deleteAccount(
  deps: Pick<Deps, 'db' | 'keys' | 'runSoon'>,
  { userId, confirmation, by, isMadeUp = false }: Deletion,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const emailKey = await readEmailKey(tx, userId)
    await lockEmail(tx, emailKey)
    const locked = await lockAccount(tx, userId)
    const { account } = locked
    if (account.role === 'admin') throw refuse('administrator_account')
    if (confirmation !== undefined && confirmation.trim() !== account.username)
      throw refuseField('confirmation', 'confirmation_wrong')
    await leaveCampaigns(tx, locked, { by, revokesApproval: isMadeUp })
    await eraseBelongings(tx, account)
    if (isMadeUp) await tx.deleteFrom('usernames').where('user_id', '=', account.id).execute()
    else await holdDeleted(tx, deps.keys, account)
    await eraseUser(tx, account)
    await record(tx, { actor: by, action: 'user.deleted', subject: userId })
    await announce(tx, 'leaderboard')
    await announce(tx, 'slots')
    if (!isMadeUp) await confirmDeletion(tx, account)
  })
  deps.runSoon('slots')
  deps.runSoon('mail')
}

async function readEmailKey(tx: Tx, userId: string): Promise<string> {
  const user = await tx.selectFrom('users').select('email_key').where('id', '=', userId).executeTakeFirst()
  if (!user) throw refuse('person_not_found')
  return user.email_key
}

async function leaveCampaigns(
  tx: Tx,
  { account, claims, archivedIds }: LockedAccount,
  { by, revokesApproval }: { by: string | null; revokesApproval: boolean },
): Promise<void> {
  await rejectClaimsOfAccount(tx, claims, { reason: 'account_deleted', revokesApproval, by: { userId: by } })
  for (const { id: claimId, campaign_id: campaignId, status } of claims) {
    if (status !== 'approved' || archivedIds.includes(campaignId)) continue
    // The inviter's, for this claim.
    await takeBackReward(tx, { claimId, campaignId, userId: account.id, by: { actor: by } })
  }
  await releaseReservations(tx, account.id)
  await setOnLeaderboard(tx, account.id, false)
  const claimIds = claims.map(({ id }) => id)
  await eraseClaims(tx, claimIds)
}

async function eraseBelongings(tx: Tx, { id, username, email, email_key }: Account): Promise<void> {
  await eraseVisitsAndLinks(tx, id)
  await eraseTelegram(tx, id)
  await eraseWallets(tx, id)
  await endSessions(tx, id)
  await eraseSecondFactor(tx, id)
  await eraseDeliveries(tx, username)
  await voidResetTokens(tx, id)
  await deletePendingRegistrations(tx, email_key)
  await tx.deleteFrom('codes').where('email_key', '=', email_key).execute()
  await eraseRecipient(tx, id)
  await eraseMails(tx, email)
  await eraseDetailsInTransaction(tx, id)
}

async function eraseUser(tx: Tx, { id }: Account): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      deleted_at: NOW,
      // What applies to banned accounts, such as no login and no payout, applies to deleted ones.
      banned_at: sql`coalesce(banned_at, now())`,
      ban_reason: null,
      role_offered_at: null,
      role_offered_by: null,
      username: 'deleted',
      email: '',
      email_key: id, // The column is unique, as are others that get the id.
      canonical_email: id,
      password_hash: '',
      referral_code: id,
      locale: null,
      announcements_at: null,
      arrived_from: null,
      // Kept if the inviter still has a reward for an approved claim.
      referred_by: sql`case when exists (
        select from claims c join ledger l on l.claim_id = c.id
        where c.user_id = users.id and l.kind = 'referral' and l.reverses is null
          and not exists (select from ledger r where r.reverses = l.id)) then referred_by end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Stores the language with the email: the account has lost it by the time the email is sent. */
async function confirmDeletion(tx: Tx, { username, email: to, locale: chosen }: Account): Promise<void> {
  const locale = localeNamed(chosen) ?? DEFAULT_LOCALE
  await sendLater(tx, { template: 'account-deleted', to, values: { username }, locale })
}
