import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Proof } from '#contract/claims/proof.ts'
import type { Deps } from '#server/deps.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { freshProof, openTask } from '#server/testing/builders/proof.ts'
import { closed, rejectKeepingSlots } from '#server/testing/builders/slots.ts'
import { campaignWith, inCampaign, ROUNDS, tally, twoNodes } from '#server/testing/database/races.ts'
import { CHECK_JOB } from '#server/domain/evidence/start-checks.ts'
import { submitProof } from './submit-proof.ts'

async function readStored({ db, campaign }: Deps) {
  const { rows } = await sql<{ slotsTaken: number; slots: number[]; checks: number }>`
    select slots_taken as "slotsTaken", array(select slot from claims where campaign_id = c.id order by slot) as slots,
      (select count(*) from jobs where kind = ${CHECK_JOB}) as checks
    from campaigns c where id = ${campaign.id}`.execute(db)
  return rows[0] ?? assert.fail()
}

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a claim takes a slot and queues its checks, but a refused one does neither', async (t) => {
  const { deps } = await testNode(t, campaignWith({ slots: 1 }))
  const requestedJobs: string[] = []
  const [ann, ben] = await createUsers(deps.db, deps.campaign.id, 2)
  const proof = freshProof()
  const task = await submitProof(
    { ...deps, runSoon: (jobName) => requestedJobs.push(jobName) },
    ann.id,
    proof,
  )
  assert.deepEqual(task, { ...openTask(proof), _id: task._id, wallet: task.wallet })
  assert.equal(task.wallet.toLowerCase(), proof.wallet)
  assert.deepEqual(requestedJobs, ['claims'])
  const stored = { slotsTaken: 1, slots: [1], checks: 1 }
  assert.deepEqual(await readStored(deps), stored)
  await assert.rejects(submitProof(deps, ann.id, freshProof()), { code: 'already_claimed' })
  await assert.rejects(submitProof(deps, ben.id, freshProof()), { code: 'slots_gone' })
  assert.deepEqual(await readStored(deps), stored)
})

test("a campaign opens and closes by the database's clock, and a second claim is refused as such even after its end", async (t) => {
  const { deps } = await testNode(t)
  const [ann] = await createUsers(deps.db, deps.campaign.id, 1)
  // Sets the node's own clock wrong.
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2001, 0) })
  const { rows } = await sql<{ before: string; after: string }>`
    select (now() - interval '1 second')::text as before,
      (now() + interval '1 hour')::text as after`.execute(deps.db)
  const { before, after } = rows[0] ?? assert.fail()
  const submitInCampaign = (opensAt: string, closesAt: string | null) =>
    submitProof({ ...deps, campaign: campaignWith({ opensAt, closesAt }) }, ann.id, freshProof())
  await assert.rejects(submitInCampaign(after, null), { code: 'campaign_not_open' })
  await assert.rejects(submitInCampaign('2020-01-01T00:00:00Z', before), { code: 'campaign_closed' })
  assert.equal((await readStored(deps)).slotsTaken, 0)
  await submitInCampaign(before, after)
  await assert.rejects(submitInCampaign('2020-01-01T00:00:00Z', before), { code: 'already_claimed' })
})

test('a claim on a kept slot is refused because of a pause, even if slot and campaign ended during it', async (t) => {
  const { deps } = await testNode(t, campaignWith({ slots: 1 }))
  const { id: userId, claimId } = await claimant(deps)
  await rejectKeepingSlots(deps, [claimId])
  await sql`update slots set until = now() - interval '1 hour'`.execute(deps.db)
  const pause = sql`
    update campaigns set paused_at = now() - interval '2 hours', pause_notice = 'We are moving.'`
  await pause.execute(deps.db)
  await assert.rejects(submitProof(closed(deps), userId, freshProof()), { code: 'campaign_paused' })
})

const nodeFor = (index: number, [one, other]: readonly [Deps, Deps]) => (index % 2 === 0 ? one : other)

test('race: many participants on two nodes for a few slots get exactly those slots', async (t) => {
  const nodes = await twoNodes(t)
  const people = await createUsers(nodes[0].db, nodes[0].campaign.id, 20)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const inRound = await inCampaign(nodes, campaignWith({ slots: 7 }, `round-${round}`))
    const calls = people.map(({ id }, index) => submitProof(nodeFor(index, inRound), id, freshProof()))
    assert.deepEqual(await tally(calls), { done: 7, slots_gone: 13 }, `round ${round}`)
    // The checks of earlier rounds are still queued.
    const stored = { slotsTaken: 7, slots: numbersUpTo(7), checks: 7 * round }
    assert.deepEqual(await readStored(inRound[0]), stored, `round ${round}`)
  }
})

test('race: twenty concurrent claims by one participant, also for the last slot, create one', async (t) => {
  const nodes = await twoNodes(t)
  const [ann] = await createUsers(nodes[0].db, nodes[0].campaign.id, 1)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const slots = round % 2 === 0 ? 1 : 100
    const inRound = await inCampaign(nodes, campaignWith({ slots }, `round-${round}`))
    // Every third call sends the same proof, as a browser does when it has lost the reply.
    const repeated = freshProof()
    const calls = numbersUpTo(20).map((index) =>
      submitProof(nodeFor(index, inRound), ann.id, index % 3 === 0 ? repeated : freshProof()),
    )
    assert.deepEqual(await tally(calls), { done: 1, already_claimed: 19 }, `round ${round}`)
    const stored = { slotsTaken: 1, slots: [1], checks: round }
    assert.deepEqual(await readStored(inRound[0]), stored, `round ${round}`)
  }
})

test('race: only one of two participants with the same wallet or handle gets a slot', async (t) => {
  const nodes = await twoNodes(t)
  const people = await createUsers(nodes[0].db, nodes[0].campaign.id, 2)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const inRound = await inCampaign(nodes, campaignWith({}, `round-${round}`))
    const { wallet, telegram, twitter, retweetLink } = freshProof()
    const kinds: [code: string, shared: Partial<Proof>][] = [
      ['wallet_taken', { wallet }],
      ['handle_taken', { telegram }],
      ['handle_taken', { twitter, retweetLink }],
    ]
    const [code, shared] = kinds[round % 3] ?? assert.fail()
    const calls = people.map(({ id }, index) =>
      submitProof(nodeFor(index, inRound), id, { ...freshProof(), ...shared }),
    )
    assert.deepEqual(await tally(calls), { done: 1, [code]: 1 }, `round ${round}`)
    assert.deepEqual((await readStored(inRound[0])).slots, [1], `round ${round}`)
  }
})
