import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postIdAt } from '#contract/claims/x-post.ts'
import defaultCampaign from '#server/testing/campaign.ts'
import { checkTime, checkWallet } from './offline-checks.ts'

const OPENS_AT = new Date('2026-01-01T00:00:00Z')
const SUBMITTED_AT = new Date('2026-03-01T12:00:00Z')
const MINUTE_MS = 60_000
const TOKEN = defaultCampaign.token.contract

test('confirms only a post made between the campaign’s opening and five minutes after the claim', () => {
  const outcomeAt = (madeAt: number) =>
    checkTime({ post_id: postIdAt(madeAt, 0), submitted_at: SUBMITTED_AT }, OPENS_AT).outcome
  assert.equal(outcomeAt(SUBMITTED_AT.getTime() - MINUTE_MS), 'confirmed')
  assert.equal(outcomeAt(OPENS_AT.getTime()), 'confirmed')
  assert.equal(outcomeAt(OPENS_AT.getTime() - 1), 'contradicted')
  assert.equal(outcomeAt(SUBMITTED_AT.getTime() + 5 * MINUTE_MS), 'confirmed')
  assert.equal(outcomeAt(SUBMITTED_AT.getTime() + 5 * MINUTE_MS + 1), 'contradicted')
})

test('confirms only a wallet with a valid checksum that can receive tokens', () => {
  const outcomeOf = (wallet: string) => checkWallet({ wallet }, TOKEN).outcome
  assert.equal(outcomeOf('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), 'confirmed')
  // A wrong checksum, two burn addresses, the token, and no address at all.
  for (const wallet of [
    '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    `0x${'0'.repeat(40)}`,
    `0x${'0'.repeat(37)}369`,
    TOKEN.toLowerCase(),
    '0x1',
  ])
    assert.equal(outcomeOf(wallet), 'contradicted', wallet)
})
