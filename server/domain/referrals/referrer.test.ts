import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { readUser } from '../accounts/user.ts'
import type { Deps } from '#server/deps.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { assertLedgerJournaled } from '#server/testing/journal.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign, ROUNDS, twoNodes } from '#server/testing/races.ts'

type Scene = { deps: Deps; ref: TestUser; adm: TestUser }

/** A referrer and an administrator. */
async function setUp(t: TestContext): Promise<Scene> {
  const { deps } = await testNode(t)
  const [adm] = await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  return withReferrer({ deps, adm }, 'ref@mail.example')
}

/** The same campaign with another referrer. */
async function withReferrer({ deps, adm }: Pick<Scene, 'deps' | 'adm'>, email: string): Promise<Scene> {
  const [ref] = await createUsers(deps.db, deps.campaign.id, 1, { email: () => email })
  return { deps, ref, adm }
}

const invite = <Count extends number>(
  { deps, ref }: Scene,
  count: Count,
  email?: (index: number) => string,
) => createUsers(deps.db, deps.campaign.id, count, { referredBy: ref.id, ...(email ? { email } : {}) })

async function claimApproved(deps: Deps, adm: TestUser, userId: string, proof = freshProof()): Promise<void> {
  await approved(deps, adm, (await submitProof(deps, userId, proof))._id)
}

const approved = (deps: Deps, adm: TestUser, claimId: string) => reviewerOn(deps, adm).approve(claimId)

/** [referralCount, referralReward] of the profile. */
async function rewarded(deps: Deps, { id }: TestUser): Promise<[number, number]> {
  const { referralCount, referralReward } = await readUser(deps.db, deps.campaign.id, id)
  return [referralCount, referralReward]
}

test('rewards an invitation once, when the claim is approved; grants no reward without an invitation', async (t) => {
  const here = await setUp(t)
  const { deps, ref, adm } = here
  const [uninvited] = await createUsers(deps.db, deps.campaign.id, 1)
  await claimApproved(deps, adm, uninvited.id)
  assert.equal((await deps.db.selectFrom('ledger').selectAll().execute()).length, 2)
  const [ann, ben] = await invite(here, 2)
  assert.deepEqual(await rewarded(deps, ref), [0, 0], 'registered')
  const { _id } = await submitProof(deps, ann.id, freshProof())
  assert.deepEqual(await rewarded(deps, ref), [0, 0], 'submitted')
  await approved(deps, adm, _id)
  assert.deepEqual(await rewarded(deps, ref), [1, 1000], 'approved')
  await approved(deps, adm, _id)
  assert.deepEqual(await rewarded(deps, ref), [1, 1000], 'approved again')
  await claimApproved(deps, adm, ben.id)
  assert.deepEqual(await rewarded(deps, ref), [2, 2000], 'the second invited participant')
  await assertLedgerInvariants(deps)
})

test('reverses the reward with the approval and restores it once; ledger and journal agree', async (t) => {
  const here = await setUp(t)
  const { deps, ref, adm } = here
  const [ann] = await invite(here, 1)
  const reviewer = reviewerOn(deps, adm)
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  for (let round = 1; round <= 5; round += 1) {
    await reviewer.approve(id)
    await reviewer.approve(id)
    assert.deepEqual(await rewarded(deps, ref), [1, 1000], `approved ${round} times`)
    await reviewer.undo(id)
    await assert.rejects(reviewer.undo(id), { code: 'nothing_to_undo' })
    assert.deepEqual(await rewarded(deps, ref), [0, 0], `undone ${round} times`)
    await assertLedgerInvariants(deps)
  }
  await reviewer.reject(id)
  const { _id: corrected } = await submitProof(deps, ann.id, freshProof())
  await reviewer.approve(corrected)
  assert.deepEqual(await rewarded(deps, ref), [1, 1000], 'for another claim of the same participant')
  const { rows } = await sql`
    select kind, count(*) filter (where reverses is null) as given, count(reverses) as taken from ledger
    group by kind order by kind`.execute(deps.db)
  const times = { given: 6, taken: 5 }
  assert.deepEqual(rows, [
    { kind: 'pf', ...times },
    { kind: 'pls', ...times },
    { kind: 'referral', ...times },
  ])
  await assertLedgerInvariants(deps)
  await assertLedgerJournaled(deps.db)
})

test('a reversed reward no longer counts toward the cap', async (t) => {
  const { db, deps } = await testNode(t, campaignWith({ referralsPaid: 2 }))
  const [ref] = await createUsers(db, deps.campaign.id, 1)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const reviewer = reviewerOn(deps, adm)
  const ids: string[] = []
  for (const { id } of await invite({ deps, ref, adm }, 4))
    ids.push((await submitProof(deps, id, freshProof()))._id)
  const [first = '', second = '', third = '', last = ''] = ids
  for (const id of [first, second, third]) await reviewer.approve(id)
  assert.deepEqual(await rewarded(deps, ref), [3, 2000], 'the third is beyond the cap')
  await reviewer.undo(third)
  assert.deepEqual(await rewarded(deps, ref), [2, 2000], 'the third was never paid')
  await reviewer.undo(first)
  assert.deepEqual(await rewarded(deps, ref), [1, 1000])
  await reviewer.approve(last)
  assert.deepEqual(await rewarded(deps, ref), [2, 2000])
  await reviewer.approve(first)
  await reviewer.approve(third)
  assert.deepEqual(await rewarded(deps, ref), [4, 2000], 'the cap is reached')
  await assertLedgerInvariants(deps)
})

test('never rewards another spelling of the referrer’s own email', async (t) => {
  const here = await withReferrer(await setUp(t), 'jane.roe@gmail.com')
  const twins = [
    'janeroe@gmail.com',
    'j.a.n.e.roe@googlemail.com',
    'Jane.Roe+2@gmail.com',
    'JANEROE+x+y@gmail.com',
  ]
  for (const { id } of await invite(here, twins.length, (index) => twins[index] ?? ''))
    await claimApproved(here.deps, here.adm, id)
  assert.deepEqual(await rewarded(here.deps, here.ref), [4, 0])

  const elsewhere = await withReferrer(here, 'jane@mail.example')
  const people = await invite(
    elsewhere,
    2,
    (index) => ['jane+1@mail.example', 'ja.ne@mail.example'][index] ?? '',
  )
  for (const { id } of people) await claimApproved(elsewhere.deps, elsewhere.adm, id)
  assert.deepEqual(
    await rewarded(elsewhere.deps, elsewhere.ref),
    [2, 1000],
    'dots are significant outside Gmail',
  )
})

test('never rewards a claim with the referrer’s wallet or handles', async (t) => {
  const { deps, adm } = await setUp(t)
  for (const field of ['wallet', 'telegram', 'twitter'] as const) {
    const here = await withReferrer({ deps, adm }, `${field}@mail.example`)
    const { ref } = here
    const earlier = freshProof()
    const { _id } = await submitProof(deps, ref.id, earlier)
    // Live claims cannot share these; a rejected claim frees them once its time to appeal is over.
    await markRejected(deps.db, _id, '2 days')
    const [ann, ben] = await invite(here, 2)
    const proof = { ...freshProof(), [field]: earlier[field].toUpperCase().replace('0X', '0x') }
    const link = field === 'twitter' ? { retweetLink: earlier.retweetLink } : {}
    await claimApproved(deps, adm, ann.id, { ...proof, ...link })
    assert.deepEqual(await rewarded(deps, ref), [1, 0], field)
    await claimApproved(deps, adm, ben.id)
    assert.deepEqual(await rewarded(deps, ref), [2, 1000], `${field}, the other person`)
  }
})

test('never rewards a participant whose earlier claim used the referrer’s wallet or handles', async (t) => {
  const { deps, adm } = await setUp(t)
  const reviewer = reviewerOn(deps, adm)
  for (const field of ['wallet', 'telegram'] as const) {
    const here = await withReferrer({ deps, adm }, `${field}@mail.example`)
    const { ref } = here
    const shared = freshProof()
    await reviewer.reject((await submitProof(deps, ref.id, shared))._id)
    await sql`
      update claims set decided_at = now() - interval '2 days' where user_id = ${ref.id}`.execute(deps.db)
    const [ann] = await invite(here, 1)
    await reviewer.reject((await submitProof(deps, ann.id, { ...freshProof(), [field]: shared[field] }))._id)
    // A new claim with other values does not help, however often it is decided.
    const { _id: corrected } = await submitProof(deps, ann.id, freshProof())
    for (let round = 1; round <= 3; round += 1) {
      await reviewer.approve(corrected)
      assert.deepEqual(await rewarded(deps, ref), [1, 0], field)
      await reviewer.undo(corrected)
    }
    await assertLedgerInvariants(deps)
  }
})

test('never rewards an administrator or a suspended account', async (t) => {
  const { deps, adm } = await setUp(t)
  const changes = [{ role: 'admin' }, { banned_at: new Date() }]
  for (const [index, change] of changes.entries()) {
    const here = await withReferrer({ deps, adm }, `ref${index}@mail.example`)
    const [ann] = await invite(here, 1)
    await here.deps.db.updateTable('users').set(change).where('id', '=', here.ref.id).execute()
    await claimApproved(here.deps, here.adm, ann.id)
    assert.deepEqual(await rewarded(here.deps, here.ref), [1, 0], JSON.stringify(change))
  }
})

test('race: with one reward left, two concurrent approvals earn it once', async (t) => {
  const nodes = await twoNodes(t)
  const [first] = nodes
  const [ref] = await createUsers(first.db, first.campaign.id, 1)
  const [adm] = await createUsers(first.db, first.campaign.id, 1, { role: 'admin' })
  const invited = await createUsers(first.db, first.campaign.id, 3, { referredBy: ref.id })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await inCampaign(nodes, campaignWith({ referralsPaid: 2 }, `round-${round}`))
    const [paid, ...last] = await Promise.all(invited.map(({ id }) => submitProof(one, id, freshProof())))
    await approved(one, adm, paid?._id ?? '')
    assert.deepEqual(await rewarded(one, ref), [1, 1000])
    await Promise.all(last.map(({ _id }, index) => approved(index === 0 ? one : two, adm, _id)))
    assert.deepEqual(await rewarded(one, ref), [3, 2000], `round ${round}`)
  }
})
