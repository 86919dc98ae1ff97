import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { referral } from '#contract/referrals.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { readUser } from '../accounts/user.ts'
import type { Deps } from '#server/deps.ts'
import { changeSettings } from '../settings/change-settings.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign, ROUNDS, twoNodes } from '#server/testing/database/races.ts'

async function setUp(t: TestContext, campaign?: CampaignFile) {
  const { db, deps } = await testNode(t, campaign)
  const { id: campaignId } = deps.campaign
  const [adm] = await createUsers(db, campaignId, 1, { role: 'admin' })
  const reviewer = reviewerOn(deps, adm)
  const newReferrer = async (email?: string) => {
    const [ref] = await createUsers(db, campaignId, 1, email ? { email: () => email } : {})
    return ref
  }
  const invite = <Count extends number>(ref: TestUser, count: Count, email?: (index: number) => string) =>
    createUsers(db, campaignId, count, { referredBy: ref.id, ...(email ? { email } : {}) })
  const submit = async ({ id }: TestUser, proof = freshProof()) => (await submitProof(deps, id, proof))._id
  const claimApproved = async (person: TestUser, proof = freshProof()) =>
    reviewer.approve(await submit(person, proof))
  return { db, deps, reviewer, newReferrer, invite, submit, claimApproved }
}

/** From the referrer's profile: how many invited people have an approved claim, and the reward. */
async function readRewards(deps: Deps, { id }: TestUser) {
  const { referralCount: invited, referralReward: points } = await readUser(deps.db, deps.campaign.id, id)
  return { invited, points }
}

test('rewards an invitation once, while its claim is approved, and grants nothing without an invitation', async (t) => {
  const { db, deps, reviewer, newReferrer, invite, submit, claimApproved } = await setUp(t)
  const ref = await newReferrer()
  await claimApproved(await newReferrer())
  const kinds = (await db.selectFrom('ledger').select('kind').execute()).map(({ kind }) => kind)
  // Points in the token (`pf`) and in the coin (`pls`).
  assert.deepEqual(kinds.toSorted(), ['pf', 'pls'], 'an uninvited claim earns no reward')
  const [ann, ben] = await invite(ref, 2)
  assert.deepEqual(await readRewards(deps, ref), { invited: 0, points: 0 }, 'registering earns nothing')
  const claimId = await submit(ann)
  assert.deepEqual(await readRewards(deps, ref), { invited: 0, points: 0 }, 'a waiting claim earns nothing')
  for (const time of ['approved', 'approved again']) {
    await reviewer.approve(claimId)
    assert.deepEqual(await readRewards(deps, ref), { invited: 1, points: 1_000 }, time)
  }
  await claimApproved(ben)
  assert.deepEqual(await readRewards(deps, ref), { invited: 2, points: 2_000 }, 'each claim is rewarded')
  await reviewer.undo(claimId)
  assert.deepEqual(await readRewards(deps, ref), { invited: 1, points: 1_000 }, 'the reward is taken back')
  await reviewer.approve(claimId)
  assert.deepEqual(await readRewards(deps, ref), { invited: 2, points: 2_000 }, 'and granted again')
  await reviewer.undo(claimId)
  await reviewer.reject(claimId)
  await claimApproved(ann)
  assert.deepEqual(await readRewards(deps, ref), { invited: 2, points: 2_000 }, 'a new claim is rewarded')
  await assertLedgerInvariants(deps)
})

test('a reversed reward no longer counts toward the cap', async (t) => {
  const { deps, reviewer, newReferrer, invite, submit } = await setUp(t, campaignWith({ referralsPaid: 2 }))
  const ref = await newReferrer()
  const ids: string[] = []
  for (const person of await invite(ref, 4)) ids.push(await submit(person))
  const [first = '', second = '', third = '', fourth = ''] = ids
  for (const id of [first, second, third]) await reviewer.approve(id)
  assert.deepEqual(await readRewards(deps, ref), { invited: 3, points: 2_000 }, 'the third is beyond the cap')
  await reviewer.undo(third)
  assert.deepEqual(await readRewards(deps, ref), { invited: 2, points: 2_000 }, 'the third was never paid')
  await reviewer.undo(first)
  assert.deepEqual(await readRewards(deps, ref), { invited: 1, points: 1_000 })
  await reviewer.approve(fourth)
  assert.deepEqual(await readRewards(deps, ref), { invited: 2, points: 2_000 })
  await reviewer.approve(first)
  await reviewer.approve(third)
  assert.deepEqual(await readRewards(deps, ref), { invited: 4, points: 2_000 }, 'the cap is reached')
  await assertLedgerInvariants(deps)
})

test('someone who deletes their account and claims again with the same proof earns one reward at a time', async (t) => {
  const { db, deps, newReferrer, invite, claimApproved } = await setUp(t)
  const ref = await newReferrer()
  const proof = freshProof()
  for (let round = 1; round <= 3; round += 1) {
    const [person] = await invite(ref, 1)
    await claimApproved(person, proof)
    assert.deepEqual(await readRewards(deps, ref), { invited: 1, points: 1_000 }, `round ${round}`)
    await deleteAccount(deps, { userId: person.id, by: person.id })
    assert.deepEqual(await readRewards(deps, ref), { invited: 0, points: 0 }, `after round ${round}`)
  }
  const inviters = await db
    .selectFrom('users')
    .select('referred_by')
    .where('referred_by', 'is not', null)
    .execute()
  assert.deepEqual(inviters, [])
  await assertLedgerInvariants(deps)
})

test('never rewards a participant who has ever claimed with the referrer’s wallet or handle', async (t) => {
  const { db, deps, reviewer, newReferrer, invite, submit, claimApproved } = await setUp(t)
  for (const field of ['wallet', 'telegram', 'twitter'] as const) {
    const ref = await newReferrer()
    const earlier = freshProof()
    // Live claims cannot share these; a rejected claim frees them once its time to appeal is over.
    await markRejected(db, await submit(ref, earlier), { ago: '2 days' })
    const [ann, ben] = await invite(ref, 2)
    const proof = { ...freshProof(), [field]: earlier[field].toUpperCase().replace('0X', '0x') }
    const link = field === 'twitter' ? { retweetLink: earlier.retweetLink } : {}
    const shared = await submit(ann, { ...proof, ...link })
    await reviewer.approve(shared)
    assert.deepEqual(await readRewards(deps, ref), { invited: 1, points: 0 }, field)
    await reviewer.undo(shared)
    await reviewer.reject(shared)
    await claimApproved(ann)
    assert.deepEqual(await readRewards(deps, ref), { invited: 1, points: 0 }, `${field} of an earlier claim`)
    await claimApproved(ben)
    assert.deepEqual(await readRewards(deps, ref), { invited: 2, points: 1_000 }, `${field} is not shared`)
  }
  await assertLedgerInvariants(deps)
})

test('never rewards an administrator, a banned account or another spelling of the referrer’s own email', async (t) => {
  const { db, deps, newReferrer, invite, claimApproved } = await setUp(t)
  for (const change of [{ role: 'admin' }, { banned_at: new Date() }]) {
    const ref = await newReferrer()
    const [ann] = await invite(ref, 1)
    await db.updateTable('users').set(change).where('id', '=', ref.id).execute()
    await claimApproved(ann)
    assert.deepEqual(await readRewards(deps, ref), { invited: 1, points: 0 }, JSON.stringify(change))
  }

  for (const [email, emailsOfInvited, expected] of [
    ['jane.roe@gmail.com', ['janeroe@gmail.com', 'J.ane.roe+2@googlemail.com'], { invited: 2, points: 0 }],
    // Dots are significant outside Gmail.
    ['jane@mail.example', ['jane+1@mail.example', 'ja.ne@mail.example'], { invited: 2, points: 1_000 }],
  ] as const) {
    const ref = await newReferrer(email)
    for (const person of await invite(ref, emailsOfInvited.length, (index) => emailsOfInvited[index] ?? ''))
      await claimApproved(person)
    assert.deepEqual(await readRewards(deps, ref), expected, email)
  }
})

test('race: two concurrent approvals earn the last reward once', async (t) => {
  const nodes = await twoNodes(t)
  const [first] = nodes
  const [ref] = await createUsers(first.db, first.campaign.id, 1)
  const [adm] = await createUsers(first.db, first.campaign.id, 1, { role: 'admin' })
  const invited = await createUsers(first.db, first.campaign.id, 3, { referredBy: ref.id })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ referralsPaid: 2 }, `round-${round}`))
    const [paid, ...last] = await Promise.all(invited.map(({ id }) => submitProof(one, id, freshProof())))
    await reviewerOn(one, adm).approve(paid?._id ?? '')
    assert.deepEqual(await readRewards(one, ref), { invited: 1, points: 1_000 })
    await Promise.all(last.map(({ _id }, index) => reviewerOn(index === 0 ? one : two, adm).approve(_id)))
    assert.deepEqual(await readRewards(one, ref), { invited: 3, points: 2_000 }, `round ${round}`)
  }
})

test('a node applies a raised cap on rewards before it has heard of it', async (t) => {
  const file = campaignWith({ referralsPaid: 1 })
  const [one, behind] = await twoNodes(t, file)
  const [ref] = await createUsers(one.db, file.id, 1)
  const [ann, ben] = await createUsers(one.db, file.id, 2, { referredBy: ref.id })
  const [adm] = await createUsers(one.db, file.id, 1, { role: 'admin' })
  const claims: string[] = []
  for (const { id } of [ann, ben]) claims.push((await submitProof(one, id, freshProof()))._id)
  const [first = '', second = ''] = claims
  await reviewerOn(one, adm).approve(first)
  const changes = [{ path: 'airdrop.referralsPaid', value: 2 }]
  await changeSettings(one.db, file, { changes, actor: null })
  await reviewerOn(behind, adm).approve(second)
  assert.deepEqual(await readRewards(one, ref), { invited: 2, points: 2_000 })
})

test('GET /referrals/{code}: only the username, or 404 for a code that is unknown, malformed or a banned account’s', async (t) => {
  const api = await testApi(t)
  const [ann, ben] = await createUsers(api.db, api.deps.campaign.id, 2)
  for (const code of [ann.referralCode, ann.referralCode.toLowerCase()]) {
    const { status, body } = await api.call(referral, { params: { code } })
    assert.deepEqual([status, body], [200, { data: { username: ann.username } }])
  }
  await api.db.updateTable('users').set({ banned_at: new Date() }).where('id', '=', ben.id).execute()
  const ofAnn = [ann.username, ann.id, `${ann.referralCode} `, `${ann.referralCode}%`]
  // In upper case, ſ is S, and thus in the alphabet of codes.
  const malformed = ['%', '_', "' or 1=1 --", '\u0000', 'ſ', 'X'.repeat(41)]
  for (const code of ['NOBODY', ben.referralCode, ...ofAnn, ...malformed]) {
    const { status, body } = await api.call(referral, { params: { code } })
    assert.deepEqual([status, body.code], [404, 'referral_not_found'], code)
  }
})
