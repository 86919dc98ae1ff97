import assert from 'node:assert/strict'
import { test } from 'node:test'
import defaultCampaign from '#server/testing/campaign.ts'
import { checkTime, checkWallet } from './offline-checks.ts'

const OPENS = new Date('2026-01-01T00:00:00Z')
const SUBMITTED = new Date('2026-03-01T12:00:00Z')
const MINUTE = 60_000
const TOKEN = defaultCampaign.token.contract

test('confirms a post made between opening and claim, with tolerance for clock skew', () => {
  const judged = (madeAt: number) =>
    checkTime({ post_id: String(BigInt(madeAt - 1_288_834_974_657) << 22n), submitted_at: SUBMITTED }, OPENS)
      .outcome
  assert.equal(judged(SUBMITTED.getTime() - MINUTE), 'confirmed')
  assert.equal(judged(OPENS.getTime()), 'confirmed')
  assert.equal(judged(OPENS.getTime() - 1), 'contradicted')
  assert.equal(judged(SUBMITTED.getTime() + 5 * MINUTE), 'confirmed')
  assert.equal(judged(SUBMITTED.getTime() + 5 * MINUTE + 1), 'contradicted')
})

test('confirms a wallet with a valid checksum that can receive tokens', () => {
  const judged = (wallet: string) => checkWallet({ wallet }, TOKEN).outcome
  assert.equal(judged('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), 'confirmed')
  for (const wallet of [
    '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    `0x${'0'.repeat(40)}`,
    `0x${'0'.repeat(37)}369`,
    TOKEN.toLowerCase(),
    '0x1',
  ])
    assert.equal(judged(wallet), 'contradicted', wallet)
})
