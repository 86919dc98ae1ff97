import type { Role } from '#contract/entities.ts'
import type { Deps } from '#server/deps.ts'
import { releaseReviewLocksOf } from '#server/domain/claims/decisions/review-lock.ts'
import { type JournalAction, record } from '#server/domain/journal/record.ts'
import { mailUser, sendLater } from '#server/domain/mail/send-later.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import { relist } from '../bans/ban.ts'
import { closeCodes, lockEmail } from '../codes/one-time-codes.ts'
import { makeAdministrator } from '../create-administrator.ts'
import { lockAccount, type LockedAccount } from '../lock-account.ts'
import { hashNewPassword, verifyCurrentPassword, wrongPassword } from '../password/password.ts'
import { readEmail } from '../validate-fields.ts'
import { type ChangedBy, lockAdministrators, refuseIfLast, withdrawOffersOf } from './administrators.ts'

type Account = LockedAccount['account']
type RoleChangeOptions = { userId: string; role: Role; by: ChangedBy }

export type RoleChange = 'offered' | 'offer_withdrawn' | 'withdrawn'

/**
 * Offers a participant the administrator's role, or withdraws the offer or the role. The role begins when the
 * participant accepts the offer and sets a new password, which has to be longer for an administrator.
 * @throws refusals `person_not_found`, `person_deleted`, `already_banned`, `last_administrator`,
 * `role_unchanged`, and those of {@link lockAdministrators}.
 */
export async function changeRole(deps: Deps, { userId, role, by }: RoleChangeOptions): Promise<RoleChange> {
  const change = await inTransaction(deps.db, async (tx) => {
    await lockAdministrators(tx, by, userId)
    const { account } = await lockAccount(tx, userId)
    if (account.banned_at) throw refuse('already_banned')
    if (role === 'admin') return offer(tx, account, by)
    if (account.role === 'admin') return withdrawRole(tx, deps.campaign.id, account, by)
    return withdrawOffer(tx, account, by)
  })
  deps.runSoon('mail')
  return change
}

async function offer(tx: Tx, account: Account, by: ChangedBy): Promise<RoleChange> {
  if (account.role === 'admin' || account.role_offered_at) throw refuse('role_unchanged')
  await tx
    .updateTable('users')
    .set({ role_offered_at: NOW, role_offered_by: by.userId })
    .where('id', '=', account.id)
    .execute()
  await recordRoleChange(tx, account, { action: 'role.offered', by, after: { role: 'admin' } })
  await mailUser(tx, account.id, 'role-offered')
  return 'offered'
}

async function withdrawOffer(tx: Tx, account: Account, by: ChangedBy): Promise<RoleChange> {
  if (!account.role_offered_at) throw refuse('role_unchanged')
  await tx
    .updateTable('users')
    .set({ role_offered_at: null, role_offered_by: null })
    .where('id', '=', account.id)
    .execute()
  await recordRoleChange(tx, account, { action: 'role.offer_withdrawn', by, after: { role: 'user' } })
  return 'offer_withdrawn'
}

async function withdrawRole(
  tx: Tx,
  campaignId: string,
  account: Account,
  by: ChangedBy,
): Promise<RoleChange> {
  await refuseIfLast(tx, account.id)
  await tx.updateTable('users').set({ role: 'user' }).where('id', '=', account.id).execute()
  await endSessions(tx, account.id)
  await releaseReviewLocksOf(tx, account.id)
  await withdrawOffersOf(tx, account.id, by) // which this administrator has made
  await relist(tx, campaignId, { id: account.id, role: 'user' })
  await recordRoleChange(tx, account, { action: 'role.changed', by, after: { role: 'user' } })
  await mailUser(tx, account.id, 'role-withdrawn')
  return 'withdrawn'
}

type RoleChangeEntry = { action: JournalAction; by: ChangedBy; after: { role: Role } }

function recordRoleChange(tx: Tx, { id, role }: Account, { action, by, after }: RoleChangeEntry) {
  return record(tx, { actor: by.userId, action, subject: id, before: { role }, after, network: by.network })
}

type Passwords = { currentPassword: string; newPassword: string }

/**
 * Accepts the offer to become an administrator: sets a new password and ends every session of the account.
 * @throws refusals `current_password_wrong`, `no_role_offer`, and `invalid_input` naming `newPassword`.
 */
export async function acceptRole(
  deps: Deps,
  { userId }: Caller,
  { currentPassword, newPassword }: Passwords,
  network: string,
): Promise<void> {
  const user = await verifyCurrentPassword(deps, userId, currentPassword, 'currentPassword')
  const email = readEmail(user.email)
  const passwordHash = await hashNewPassword(deps, { ...user, isAdmin: true }, newPassword)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const locked = await lockUser(tx, userId)
    if (locked?.password_hash !== user.passwordHash) throw wrongPassword('currentPassword')
    if (!locked.role_offered_at) throw refuse('no_role_offer')
    await makeAdministrator(tx, userId, passwordHash)
    await closeCodes(tx, 'reset-password', email.key)
    await record(tx, {
      actor: userId,
      action: 'role.changed',
      subject: userId,
      before: { role: 'user' },
      after: { role: 'admin', ...(locked.role_offered_by ? { offered_by: locked.role_offered_by } : {}) },
      network,
    })
    await sendLater(tx, { template: 'password-changed', to: user.email, values: { username: user.username } })
  })
  deps.runSoon('mail')
}

function lockUser(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['password_hash', 'role_offered_at', 'role_offered_by'])
    .where('id', '=', userId)
    .where('banned_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** @throws refusal `no_role_offer`. */
export async function declineRole(deps: Deps, { userId }: Caller, network: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const declined = await tx
      .updateTable('users')
      .set({ role_offered_at: null, role_offered_by: null })
      .where('id', '=', userId)
      .where('role_offered_at', 'is not', null)
      .returning('id')
      .executeTakeFirst()
    if (!declined) throw refuse('no_role_offer')
    await record(tx, { actor: userId, action: 'role.offer_declined', subject: userId, network })
  })
}
