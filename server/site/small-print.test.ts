import assert from 'node:assert/strict'
import { test } from 'node:test'
import campaign from '#server/testing/campaign.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { tasksOf } from '#server/testing/builders/tasks.ts'
import { privacyOf, rulesLead, rulesOf, storedOf } from '#web/content/site/small-print.ts'

const wordsOf = (clauses: ReturnType<typeof rulesOf>) => clauses.flatMap(({ text }) => text).join('\n')

test('the rules contain the campaign file’s dates, slots, tasks, points and rewards', () => {
  const words = wordsOf(rulesOf(campaign))
  assert.match(words, /opens on 1 January 2026, 00:00 UTC\./)
  assert.match(words, /until all slots are taken/)
  assert.match(words, /10,000 slots/)
  for (const { title } of campaign.airdrop.tasks) assert.ok(words.includes(title), title)
  assert.match(
    words,
    /Each task is worth 5,000 points, in PF and in PLS\. An approved claim earns 20,000 PF points and 20,000 PLS points, once\./,
  )
  assert.match(rulesLead(campaign), /: four tasks, one proof/)
  assert.match(words, /You earn 1,000 points for each person [^.]*, for up to 50 people/)
  assert.ok(words.includes(campaign.smallPrint.operator) && words.includes(campaign.smallPrint.contact))
})

test('the rules name what each task is worth, one by one if tasks differ', () => {
  const words = wordsOf(rulesOf(campaignWith({ tasks: tasksOf(4) })))
  assert.match(
    words,
    /What each task is worth:\n1\. 5,000 PF points and 5,000 PLS points\.\n2\. 2,000 PF points\.\n3\. .*\n4\. 4,000 PF points and 100 PLS points\.\nAn approved claim earns 16,000 PF points and 10,100 PLS points, once\./,
  )
  const alike = tasksOf(2).map((task) => ({ ...task, points: { pf: 1, pls: 30 } }))
  assert.match(
    wordsOf(rulesOf(campaignWith({ tasks: alike }))),
    /Each task is worth 1 PF point and 30 PLS points\. An approved claim earns 2 PF points and 60 PLS points, once\./,
  )
})

test('the small print of a campaign with one plain task mentions no other tasks, no hashtags and no group', () => {
  const one = campaignWith({ tasks: tasksOf(1) })
  const words = wordsOf(rulesOf(one))
  assert.match(rulesLead(one), /: one task, one proof/)
  assert.match(words, /The task is worth 5,000 points, in PF and in PLS\. An approved claim earns 5,000 PF/)
  assert.match(words, /your post, its author and time/)
  const everything = [words, wordsOf(privacyOf(one)), ...storedOf(one).map(({ why }) => why)].join('\n')
  assert.doesNotMatch(everything, /hashtag|group|Each task/)
})

test('the rules name the closing time in UTC, whatever the campaign file’s time zone', () => {
  const ended = campaignWith({ closesAt: '2027-02-01T01:30:00+02:00' })
  assert.match(wordsOf(rulesOf(ended)), /closes on 31 January 2027, 23:30 UTC/)
})

test('no rule promises a reward if the campaign has none', () => {
  for (const withoutReward of [{ referralReward: 0 }, { referralsPaid: 0 }]) {
    const words = wordsOf(rulesOf(campaignWith(withoutReward)))
    assert.doesNotMatch(words, /You earn/)
    assert.match(words, /earn no points/)
  }
})

test('retention periods are those of the campaign file', () => {
  const smallPrint = { ...campaign.smallPrint, keptUntil: 'for a fortnight', logsKept: 'for an hour' }
  const kept = storedOf({ ...campaign, smallPrint }).map((row) => row.kept)
  // Of all stored data, the file determines the period of four kinds and of the server's logs.
  assert.equal(kept.filter((line) => line === 'Kept for a fortnight').length, 4)
  assert.equal(kept.filter((line) => line === 'Kept for an hour').length, 1)
})

test('the privacy page names the responsible party first', () => {
  assert.ok(privacyOf(campaign)[0]?.text[0]?.includes(campaign.smallPrint.operator))
})
