import assert from 'node:assert/strict'
import { test } from 'node:test'
import campaign from '#server/testing/campaign.ts'
import { privacyOf, rulesOf, storedOf } from '#web/content/small-print.ts'

const wordsOf = (clauses: ReturnType<typeof rulesOf>) => clauses.flatMap(({ text }) => text).join('\n')

test('the rules contain the campaign file’s dates, slots, tasks, points and rewards', () => {
  const words = wordsOf(rulesOf(campaign))
  assert.match(words, /opens on 1 January 2026, 00:00 UTC\./)
  assert.match(words, /until all slots are taken/)
  assert.match(words, /10,000 slots/)
  for (const { title } of campaign.airdrop.tasks) assert.ok(words.includes(title), title)
  assert.match(words, /worth 5,000 points/)
  assert.match(words, /earns 20,000 PF points and 20,000 PLS points/)
  assert.match(words, /You earn 1,000 points for each person [^.]*, for up to 50 people/)
  assert.ok(words.includes(campaign.smallPrint.operator) && words.includes(campaign.smallPrint.contact))
})

test('shows the closing day in UTC, whatever the file’s time zone', () => {
  const airdrop = { ...campaign.airdrop, closesAt: '2027-02-01T01:30:00+02:00' }
  assert.match(wordsOf(rulesOf({ ...campaign, airdrop })), /closes on 31 January 2027, 23:30 UTC/)
})

test('no rule promises a reward where there is none', () => {
  for (const none of [{ referralReward: 0 }, { referralsPaid: 0 }]) {
    const words = wordsOf(rulesOf({ ...campaign, airdrop: { ...campaign.airdrop, ...none } }))
    assert.doesNotMatch(words, /You earn/)
    assert.match(words, /earn no points/)
  }
})

test('retention periods are those of the campaign file', () => {
  const smallPrint = { ...campaign.smallPrint, keptUntil: 'for a fortnight', logsKept: 'for an hour' }
  const kept = storedOf({ ...campaign, smallPrint }).map((row) => row.kept)
  assert.equal(kept.filter((line) => line === 'Kept for a fortnight').length, 3)
  assert.equal(kept.filter((line) => line === 'Kept for an hour').length, 1)
})

test('the privacy page names the responsible party first', () => {
  assert.ok(privacyOf(campaign)[0]?.text[0]?.includes(campaign.smallPrint.operator))
})
