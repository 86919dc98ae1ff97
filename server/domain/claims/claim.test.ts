import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Insertable } from 'kysely'
import { sqlState } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'
import { newId } from '#server/platform/database/ids.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { asTask } from './claim.ts'

const ROW = {
  id: 'i',
  wallet: 'w',
  telegram: 't',
  twitter: 'x',
  post_id: '1',
  retweet_link: 'l',
  pf: 1,
  pls: 2,
}

test('derives approved and underReview from the status alone', () => {
  const flagsOf = (status: string) => {
    const { approved, underReview } = asTask({ ...ROW, reason: null, held_for: null, status })
    return [approved, underReview]
  }
  assert.deepEqual(flagsOf('submitted'), [false, false])
  assert.deepEqual(flagsOf('under_review'), [false, true])
  assert.deepEqual(flagsOf('approved'), [true, false])
  assert.deepEqual(flagsOf('held'), [false, true])
  assert.deepEqual(flagsOf('rejected'), [false, false])
})

test('sends status and reason only for held or rejected claims', () => {
  const row = { ...ROW, reason: 'No post.', held_for: ['One.', 'Two.'] }
  const why = (status: string) => {
    const { status: shown, reason } = asTask({ ...row, status })
    return [shown, reason]
  }
  assert.deepEqual(why('held'), ['held', 'One. Two.'])
  assert.deepEqual(why('rejected'), ['rejected', 'No post.'])
  for (const status of ['submitted', 'under_review', 'approved']) {
    const task = asTask({ ...row, status })
    assert.ok(!('status' in task) && !('reason' in task), status)
  }
})

test('database constraints reject invalid claims, slot counts and balances', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const [ann, ben] = await createUsers(db, campaign.id, 2)
  let number = 0
  const claim = (changes: Partial<Insertable<Claims>>) => {
    number += 1
    const own = {
      wallet: `0xa${number}`,
      telegram: `tele${number}`,
      twitter: `x${number}`,
      post_id: `${number}`,
    }
    const retweet_link = `https://x.com/x/status/${number}`
    const row = { id: newId(), campaign_id: campaign.id, user_id: ben.id, slot: 901, ...own, retweet_link }
    return db
      .insertInto('claims')
      .values({ ...row, ...changes })
      .execute()
  }
  const decided = { decided_at: new Date() }
  await db
    .insertInto('slots')
    .values(
      [ann, ben].map(({ id }, index) => ({
        campaign_id: campaign.id,
        number: 900 + index,
        user_id: id,
        state: 'claimed',
      })),
    )
    .execute()
  await claim({
    user_id: ann.id,
    attempt: 1,
    slot: 900,
    wallet: '0xAb',
    telegram: 'Moon',
    twitter: 'Moon',
    post_id: '77',
  })
  const refused: Partial<Insertable<Claims>>[] = [
    { user_id: ann.id, attempt: 2 },
    { user_id: ann.id, attempt: 1, status: 'rejected', ...decided },
    { wallet: '0xaB' },
    { telegram: 'mOON' },
    { twitter: 'MOON' },
    { post_id: '77' },
    { slot: 900 },
    { slot: 0 },
    { slot: 902 },
    { user_id: ann.id, slot: 901 },
    { status: 'held' },
    { reason_code: 'other' },
    { status: 'rejected', ...decided },
    { status: 'rejected', reason_code: 'ugly', ...decided },
    { risk: -1 },
    { attempt: 0 },
    { retweet_link: 'javascript:alert(1)//https://x.com/' },
    { retweet_link: 'http://x.com/x/status/1' },
    { retweet_link: 'https://x.com.evil.example/' },
    { status: 'paid' },
    { status: 'approved' },
    { status: 'submitted', ...decided },
    { campaign_id: 'unknown' },
    { user_id: newId() },
  ]
  for (const changes of refused)
    await assert.rejects(claim(changes), violatesConstraint, JSON.stringify(changes))
  await claim({})
  for (const slots_taken of [-1, campaign.airdrop.slots + 1])
    await assert.rejects(db.updateTable('campaigns').set({ slots_taken }).execute(), violatesConstraint)
  await assert.rejects(db.updateTable('standings').set({ pf: -1 }).execute(), violatesConstraint)
  assert.equal((await db.selectFrom('claims').select('id').execute()).length, 2)
})

/** SQLSTATE class 23: a violated constraint. */
const violatesConstraint = (error: unknown) => sqlState(error)?.startsWith('23') === true
