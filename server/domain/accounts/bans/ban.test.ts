import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { banPerson, unbanPerson } from '#contract/dashboard/person.ts'
import { login } from '#contract/accounts/sessions.ts'
import { joinWaitingList } from '#contract/claims/slots.ts'
import { PASSWORD, testApi, type TestApi } from '#server/testing/api.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { createUsersWithPassword } from '#server/testing/builders/users-with-password.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvariants } from '#server/testing/builders/decision-races.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { claim } from '#server/testing/builders/slots.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { NOW } from '#server/platform/database/times.ts'
import { campaignWith, loseConnectionOf } from '#server/testing/database/races.ts'
import { submitProof } from '../../claims/submission/submit-proof.ts'
import { readOwnClaim } from '../../claims/own-claim.ts'
import { reallocateSlots } from '../../slots/reallocate-slots.ts'
import { ban as banAccount } from './ban.ts'

const REASON = 'Three accounts with one wallet.'

async function setUp(t: TestContext, slots = 100) {
  const api = await testApi(t, { campaign: campaignWith({ slots }) })
  const [adm, boss] = await createUsers(api.db, api.deps.campaign.id, 2, { role: 'admin' })
  const [ann, ben, cleo, dan] = await createUsersWithPassword(api, 4)
  const ban = (person: TestUser, body: object = {}, by = adm) =>
    api.call(banPerson, { token: by.token, params: { userId: person.id }, body: { reason: REASON, ...body } })
  const unban = (person: TestUser) =>
    api.call(unbanPerson, { token: adm.token, params: { userId: person.id } })
  return { api, adm, boss, ann, ben, cleo, dan, ban, unban, reviewer: reviewerOn(api.deps, adm) }
}

const logIn = ({ call }: TestApi, { email }: TestUser) => call(login, { body: { email, password: PASSWORD } })

const readState = async ({ db, deps }: TestApi, { id }: TestUser) => {
  // The type has only the columns that a test reads one by one.
  const { rows } = await sql<{ claim: string | null; slot: string | null }>`
    select u.ban_reason, (select status from claims where user_id = u.id order by attempt desc limit 1) as claim,
      (select state from slots where user_id = u.id) as slot,
      (select listed from standings where campaign_id = ${deps.campaign.id} and user_id = u.id) as listed,
      (select count(*)::int from sessions where user_id = u.id) as sessions
    from users u where u.id = ${id}`.execute(db)
  return rows[0]
}

test('a ban takes away sessions, claim, slot and place on the leaderboard, and is mailed and recorded', async (t) => {
  const { api, ann, ben, ban } = await setUp(t, 1)
  const claimId = await claim(api.deps, ann)
  assert.equal((await api.call(joinWaitingList, { token: ben.token })).status, 200)
  assert.equal((await ban(ann)).status, 200)
  const banned = { ban_reason: REASON, claim: 'rejected', slot: null, listed: false, sessions: 0 }
  assert.deepEqual(await readState(api, ann), banned)
  assert.deepEqual(refusalOf(await logIn(api, ann)), [403, 'account_banned'])
  const { text } = await api.newestMailTo(ann.email)
  for (const part of [REASON, api.deps.campaign.smallPrint.contact]) assert.ok(text.includes(part), part)
  const timeline = (await readOwnClaim(api.deps, ann.id)).timeline.map(({ what }) => what)
  assert.deepEqual(timeline, ['received', 'rejected', 'slot_freed'])
  const rejected = await entriesOf(api.db, { action: 'claim.rejected' })
  const recorded = await entriesOf(api.db, { action: 'user.banned' })
  assert.deepEqual([rejected.length, recorded.length], [1, 1])
  assert.partialDeepStrictEqual(
    [...rejected, ...recorded],
    [{ subject: claimId }, { subject: ann.id, content: { reason: REASON } }],
  )
  await reallocateSlots(api.deps)
  assert.equal((await readState(api, ben))?.slot, 'reserved')
  await assertInvariants(api.deps)
})

test('a ban frees reserved slots, places on the waiting list and claims that an administrator is reviewing', async (t) => {
  const { api, boss, ann, ben, cleo, dan, ban, reviewer } = await setUp(t, 2)
  await reviewer.reject(await claim(api.deps, ann)) // Her slot is kept for a corrected claim.
  await reviewerOn(api.deps, boss).lock(await claim(api.deps, ben))
  assert.equal((await ban(boss)).status, 200)
  assert.deepEqual(await api.db.selectFrom('review_locks').selectAll().execute(), [])
  for (const { token } of [cleo, dan]) await api.call(joinWaitingList, { token })
  assert.equal((await ban(cleo)).status, 200)
  assert.equal((await ban(ann)).status, 200)
  await reallocateSlots(api.deps)
  assert.equal((await readState(api, dan))?.slot, 'reserved')
  assert.equal((await ban(dan)).status, 200)
  assert.equal((await readState(api, dan))?.slot, null)
  await assertInvariants(api.deps)
})

test('an approved claim stays approved unless the ban revokes the approval', async (t) => {
  const { api, ann, ben, ban, reviewer } = await setUp(t)
  const [approved, revoked] = [await claim(api.deps, ann), await claim(api.deps, ben)]
  for (const id of [approved, revoked]) await reviewer.approve(id)
  assert.equal((await ban(ann)).status, 200)
  assert.equal((await ban(ben, { revokesApproval: true })).status, 200)
  const claims = api.db.selectFrom('claims').select(['id', 'status', 'reason_code']).orderBy('id')
  assert.deepEqual(await claims.execute(), [
    { id: approved, status: 'approved', reason_code: null },
    { id: revoked, status: 'rejected', reason_code: 'account_banned' },
  ])
  // Two kinds of points, each granted and reversed.
  const rows = await api.db.selectFrom('ledger').select('amount').where('user_id', '=', ben.id).execute()
  const points = rows.reduce((sum, { amount }) => sum + amount, 0)
  assert.deepEqual({ rows: rows.length, points }, { rows: 4, points: 0 })
  await assert.rejects(reviewer.undo(approved), { code: 'participant_banned' })
  await assert.rejects(reviewer.undo(revoked), { code: 'participant_banned' })
  await assertInvariants(api.deps)
})

test('a ban does not revoke approvals in archived campaigns, because lifting it could not restore them', async (t) => {
  const { api, ann, ban, unban, reviewer } = await setUp(t)
  const id = await claim(api.deps, ann)
  await reviewer.approve(id)
  await api.db.updateTable('campaigns').set({ archived_at: NOW }).execute()
  const readRows = () => api.db.selectFrom('ledger').select(['amount', 'reverses']).orderBy('id').execute()
  const rows = await readRows()
  assert.equal((await ban(ann, { revokesApproval: true })).status, 200)
  assert.deepEqual(await readRows(), rows)
  assert.equal((await unban(ann)).body.message, 'The ban is lifted.')
  const { status } = await api.db.selectFrom('claims').select('status').executeTakeFirstOrThrow()
  assert.equal(status, 'approved')
  await assertInvariants(api.deps)
})

test('lifting a ban restores the account and returns the claim to review, or does neither if the connection is lost', async (t) => {
  const { api, ann, ban, unban } = await setUp(t, 1)
  await claim(api.deps, ann)
  await ban(ann)
  const lost = await loseConnectionOf(api.db, () => unban(ann))
  assert.equal(lost.status, 503)

  assert.partialDeepStrictEqual(await readState(api, ann), { ban_reason: REASON, claim: 'rejected' })
  const { status, body } = await unban(ann)
  assert.equal(status, 200)
  assert.equal(body.message, 'The ban is lifted, and their claim is being reviewed again.')
  const restored = { ban_reason: null, claim: 'under_review', slot: 'claimed', listed: true, sessions: 0 }
  assert.deepEqual(await readState(api, ann), restored)
  assert.equal((await logIn(api, ann)).status, 200)
  assert.equal((await entriesOf(api.db, { action: 'user.unbanned' })).length, 1)
  await assertInvariants(api.deps)
})

test('lifting a ban leaves the claim rejected if another claim uses its wallet by now', async (t) => {
  const { api, ann, ben, ban, unban } = await setUp(t)
  const proof = freshProof()
  await submitProof(api.deps, ann.id, proof)
  await ban(ann)
  // Others may use the wallet of a rejected claim after a day.
  await sql`update claims set decided_at = now() - interval '2 days'`.execute(api.db)
  await submitProof(api.deps, ben.id, proof)
  const { body } = await unban(ann)
  assert.match(body.message ?? '', /^The ban is lifted\. Their claim stays/)
  const unbanned = { ban_reason: null, claim: 'rejected', slot: null }
  assert.partialDeepStrictEqual(await readState(api, ann), unbanned)
  await assertInvariants(api.deps)
})

test('lifting a ban puts the participant first in line when no slot is free', async (t) => {
  const { api, ann, ben, ban, unban } = await setUp(t, 1)
  await claim(api.deps, ann)
  await ban(ann)
  await claim(api.deps, ben)
  const { body } = await unban(ann)
  assert.match(body.message ?? '', /they get the next one/)
  assert.equal((await readState(api, ann))?.claim, 'rejected')
  await assertInvariants(api.deps)
})

test('refuses to ban unknown people, oneself, the last administrator, or anyone twice', async (t) => {
  const { api, adm, boss, ann, ban, unban } = await setUp(t)
  assert.deepEqual(refusalOf(await ban(adm)), [403, 'own_account'])
  assert.deepEqual(refusalOf(await ban(ann, { reason: '  ' })), [400, 'invalid_input'])
  assert.deepEqual(refusalOf(await ban(ann, { reason: 'x'.repeat(501) })), [400, 'invalid_input'])
  assert.deepEqual(refusalOf(await ban({ ...ann, id: crypto.randomUUID() })), [404, 'person_not_found'])
  assert.deepEqual(refusalOf(await ban({ ...ann, id: 'ann' })), [404, 'not_found'], 'an id is a UUID')
  assert.deepEqual(refusalOf(await unban(ann)), [409, 'not_banned'])
  assert.equal((await ban(boss)).status, 200)
  assert.deepEqual(refusalOf(await ban(boss)), [409, 'already_banned'])
  const byOperator = { userId: adm.id, reason: REASON, revokesApproval: false, by: { userId: null } }
  await assert.rejects(banAccount(api.deps, byOperator), { code: 'last_administrator' })
  assert.deepEqual(refusalOf(await ban(adm, {}, boss)), [401, 'unauthenticated'])
  assert.equal((await entriesOf(api.db, { action: 'user.banned' })).length, 1)
})
