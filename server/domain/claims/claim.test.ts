import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Insertable, sql } from 'kysely'
import type { Claims } from '#server/platform/database/database.types.ts'
import { newId } from '#server/platform/database/ids.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { readEventsOf, readTimeline } from './claim-events.ts'
import { asTask } from './claim.ts'

const PROOF = { wallet: 'w', telegram: 't', twitter: 'x', post_id: '1', retweet_link: 'l' }
const ROW = { id: 'i', ...PROOF, pf: 1, pls: 2, reason: 'No post.', held_for: ['One.', 'Two.'] }

const SHOWN_BY_STATUS: [status: string, shown: object][] = [
  ['submitted', { approved: false, underReview: false }],
  ['under_review', { approved: false, underReview: true }],
  ['approved', { approved: true, underReview: false }],
  ['held', { approved: false, underReview: true, status: 'held', reason: 'One. Two.' }],
  ['rejected', { approved: false, underReview: false, status: 'rejected', reason: 'No post.' }],
]
// The API calls a claim a task.
for (const [status, shown] of SHOWN_BY_STATUS)
  test(`shows a claim that is ${status} as ${JSON.stringify(shown)}`, () => {
    const proof = { wallet: 'w', telegram: 't', twitter: 'x', retweetLink: 'l' }
    const expected = { _id: 'i', ...proof, pfPoints: 1, plsPoints: 2, ...shown }
    assert.deepEqual(asTask({ ...ROW, status }), expected)
  })

test('the database accepts no invalid claim, and none that shares a wallet, handle, post or slot', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const [ann, ben, cleo] = await createUsers(db, campaign.id, 3)
  const slot = { campaign_id: campaign.id, state: 'claimed' }
  const slots = [
    { ...slot, number: 900, user_id: ann.id },
    { ...slot, number: 901, user_id: ben.id },
  ]
  await db.insertInto('slots').values(slots).execute()
  let number = 0
  const insertClaim = (changes: Partial<Insertable<Claims>>) => {
    number += 1
    const handles = { telegram: `tele${number}`, twitter: `x${number}` }
    const post = { post_id: `${number}`, retweet_link: `https://x.com/x/status/${number}` }
    const row = { id: newId(), campaign_id: campaign.id, user_id: ben.id, slot: 901, wallet: `0xa${number}` }
    return db
      .insertInto('claims')
      .values({ ...row, ...handles, ...post, ...changes })
      .execute()
  }
  const annsProof = { wallet: '0xAb', telegram: 'Moon', twitter: 'Moon', post_id: '77' }
  await insertClaim({ user_id: ann.id, slot: 900, ...annsProof })

  const decided_at = new Date()
  const rejected = { status: 'rejected', decided_at }
  const violations: [constraint: string, ...changes: Partial<Insertable<Claims>>[]][] = [
    ['claims_one_live', { user_id: ann.id, attempt: 2 }],
    // The attempt is 1 by default, as in Ann's first claim.
    ['claims_campaign_id_user_id_attempt_key', { user_id: ann.id, ...rejected, reason_code: 'other' }],
    ['claims_wallet', { wallet: '0xaB' }],
    ['claims_telegram', { telegram: 'mOON' }],
    ['claims_twitter', { twitter: 'MOON' }],
    ['claims_post', { post_id: '77' }],
    ['claims_slot', { slot: 900 }],
    ['claims_slot_check', { slot: 0 }],
    // A slot that no one has, and someone else’s.
    ['claims_hold_slot', { slot: 902 }, { user_id: cleo.id, slot: 901 }],
    ['claims_held', { status: 'held' }],
    ['claims_reason', { reason_code: 'other' }, rejected],
    ['claims_reason_code_check', { ...rejected, reason_code: 'ugly' }],
    ['claims_risk_check', { risk: -1 }],
    ['claims_attempt_check', { attempt: 0 }],
    [
      'claims_retweet_link_check',
      { retweet_link: 'javascript:alert(1)//https://x.com/' },
      { retweet_link: 'http://x.com/x/status/1' },
      { retweet_link: 'https://x.com.evil.example/' },
    ],
    ['claims_status_check', { status: 'paid' }],
    ['claims_check', { status: 'approved' }, { status: 'submitted', decided_at }],
    ['claims_campaign_id_fkey', { campaign_id: 'unknown' }],
    ['claims_user_id_fkey', { user_id: newId() }],
  ]
  for (const [constraint, ...claims] of violations)
    for (const changes of claims)
      await assert.rejects(insertClaim(changes), { constraint }, JSON.stringify(changes))
  await insertClaim({})
  assert.equal((await db.selectFrom('claims').select('id').execute()).length, 2, 'Ann’s and Ben’s')
})

test('the database accepts no negative balance, and no slot count below zero or above the total', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  await createUsers(db, campaign.id, 1)
  const checkViolation = { code: '23514' }
  for (const slots_taken of [-1, campaign.airdrop.slots + 1])
    await assert.rejects(db.updateTable('campaigns').set({ slots_taken }).execute(), checkViolation)
  await assert.rejects(db.updateTable('standings').set({ pf: -1 }).execute(), checkViolation)
})

test('a timeline has the newest hundred events, oldest first', async (t) => {
  const { deps } = await testNode(t)
  const { db, campaign } = deps
  const { id, claimId } = await claimant(deps)
  // These events are older than the claim's `received` event.
  await sql`
    insert into claim_events (id, claim_id, what, at)
    select gen_random_uuid(), ${claimId}, 'edited', now() - make_interval(mins => number)
    from generate_series(1, 150) as number`.execute(db)
  for (const timeline of [await readTimeline(db, campaign.id, id), await readEventsOf(db, claimId)]) {
    assert.equal(timeline.length, 100)
    assert.equal(timeline.at(-1)?.what, 'received')
    const times = timeline.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted())
  }
})
