import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { payoutCampaign } from '#server/testing/builders/payouts.ts'
import { faultIn, problemIn } from '../faults.ts'
import { brokenPromises, promiseOf, RULES, type Situation } from './setting-promises.ts'
import { readSetting, SETTING_PATHS, withSetting } from './setting-paths.ts'

const NOW = '2026-06-01T00:00:00Z'
const CLOSES = '2026-09-01T00:00:00Z'
const file: CampaignFile = payoutCampaign()
const closing = withSetting(file, 'airdrop.closesAt', CLOSES) as CampaignFile

const NOTHING_YET = { hasOpened: false, hasClaims: false, slotsTaken: 0, isFrozen: false, isArchived: false }
const ANNOUNCED: Situation = { now: Date.parse(NOW), ...NOTHING_YET }
const OPENED = { ...ANNOUNCED, hasOpened: true }
const CLAIMED = { ...OPENED, hasClaims: true, slotsTaken: 1 }
const FROZEN = { ...CLAIMED, isFrozen: true }
const ARCHIVED = { ...FROZEN, isArchived: true }

const [first, ...others] = file.airdrop.tasks

type Row = {
  path: string
  /** The campaign before the change. By default `file`. */
  from?: CampaignFile
  to: unknown
  /** The first situation in which the change is refused. Absent if it never is. */
  refused?: Situation
}

/** In `file` there are 10,000 slots, 5,000 points per task, 50 paid referrals, and no end. Now is 1 June. */
const ROWS: Row[] = [
  { path: 'airdrop.slots', to: 20_000, refused: ARCHIVED },
  { path: 'airdrop.slots', to: 9_999, refused: OPENED },
  { path: 'airdrop.opensAt', to: '2026-02-01T00:00:00Z', refused: OPENED },
  // The same moment as before, with another offset from UTC.
  { path: 'airdrop.opensAt', to: '2026-01-01T02:00:00+02:00' },
  { path: 'airdrop.closesAt', from: closing, to: '2026-10-01T00:00:00Z', refused: ARCHIVED },
  { path: 'airdrop.closesAt', from: closing, to: null, refused: ARCHIVED },
  { path: 'airdrop.closesAt', from: closing, to: '2026-09-01T02:00:00+02:00' },
  { path: 'airdrop.closesAt', from: closing, to: '2026-08-01T00:00:00Z', refused: CLAIMED },
  { path: 'airdrop.closesAt', from: closing, to: '2026-05-01T00:00:00Z', refused: OPENED },
  { path: 'airdrop.closesAt', to: '2026-06-02T00:00:00Z', refused: ARCHIVED },
  { path: 'airdrop.closesAt', to: '2026-05-31T00:00:00Z', refused: OPENED },
  { path: 'airdrop.pointsPerTask', to: 6_000, refused: CLAIMED },
  { path: 'airdrop.pointsPerTask', to: 4_000, refused: CLAIMED },
  { path: 'airdrop.referralReward', to: 2_000, refused: CLAIMED },
  { path: 'airdrop.referralsPaid', to: 51 },
  { path: 'airdrop.referralsPaid', to: 49, refused: CLAIMED },
  { path: 'airdrop.tasks', to: [...others, first] },
  { path: 'airdrop.tasks', to: [{ ...first, title: 'Other words' }, ...others] },
  { path: 'airdrop.tasks', to: [{ ...first, points: { pf: 1, pls: 1 } }, ...others], refused: CLAIMED },
  { path: 'airdrop.tasks', to: others, refused: CLAIMED },
  { path: 'airdrop.tasks', to: [...file.airdrop.tasks, { ...first, id: 'more' }], refused: CLAIMED },
  { path: 'chain.id', to: 1, refused: CLAIMED },
  { path: 'token.contract', to: `0x${'1'.repeat(40)}`, refused: FROZEN },
  { path: 'token.decimals', to: 8, refused: FROZEN },
  { path: 'chain.currency.decimals', to: 8, refused: FROZEN },
  { path: 'payout.perPoint', to: { pf: '2', pls: '1', referral: '1' }, refused: FROZEN },
  { path: 'payout.minimum', to: { pf: '2', pls: '1' }, refused: FROZEN },
  { path: 'payout.duplicateWallets', to: 'refuse', refused: FROZEN },
  { path: 'name', to: 'Another' },
  { path: 'texts.hero', to: 'Another' },
]

const SITUATIONS = [ANNOUNCED, OPENED, CLAIMED, FROZEN, ARCHIVED]
const UNTIL = new Map<Situation | undefined, string>([
  [OPENED, 'until the opening'],
  [CLAIMED, 'until the first claim'],
  [FROZEN, 'until a freeze'],
  [ARCHIVED, 'until it is archived'],
])
const abridged = (value: unknown) => JSON.stringify(value)?.slice(0, 30)

for (const { path, from = file, to, refused } of ROWS)
  test(`${path} may change from ${abridged(readSetting(from, path))} to ${abridged(to)} ${UNTIL.get(refused) ?? 'at any time'}`, () => {
    const after = withSetting(from, path, to) as CampaignFile
    const firstRefused = refused ? SITUATIONS.indexOf(refused) : SITUATIONS.length
    for (const [index, situation] of SITUATIONS.entries()) {
      const problems = brokenPromises(from, after, situation)
      assert.equal(problems.length > 0, index >= firstRefused)
      for (const problem of problems) {
        assert.deepEqual(problem.paths, [path])
        assert.ok(problemIn(problem).startsWith(`${path} must `), problemIn(problem))
      }
    }
  })

test('each rule is in the table above and is about settings that exist', () => {
  const tested = ROWS.flatMap(({ path, refused }) => (refused ? [path] : []))
  // SETTING_PATHS lacks the chain because only the campaign file can change it.
  const known = [...SETTING_PATHS, 'chain.id']
  for (const { path } of RULES) {
    assert.ok(tested.includes(path), path)
    assert.ok(known.includes(path) || known.some((other) => other.startsWith(`${path}.`)), path)
  }
})

test('fewer slots than are taken are refused even before the opening', () => {
  const after = withSetting(file, 'airdrop.slots', 39) as CampaignFile
  const [problem] = brokenPromises(file, after, { ...ANNOUNCED, slotsTaken: 40 })
  assert.equal(problem && problemIn(problem), 'airdrop.slots must be 40 or more, because that many are taken')
})

test('each broken promise is named, and new or unchanged settings break none', () => {
  const after = { ...file, airdrop: { ...file.airdrop, slots: 5, pointsPerTask: 1, referralReward: 1 } }
  const broken = brokenPromises(file, after, CLAIMED).map(({ paths }) => paths[0])
  assert.deepEqual(broken, ['airdrop.slots', 'airdrop.pointsPerTask', 'airdrop.referralReward'])
  assert.deepEqual(brokenPromises({ airdrop: { slots: 5 } }, after, FROZEN), [])
  assert.deepEqual(brokenPromises(file, { ...file }, FROZEN), [])
})

test('a setting says what it promises now', () => {
  const promise = (...args: Parameters<typeof promiseOf>) => {
    const fault = promiseOf(...args)
    return fault && faultIn(fault)
  }
  assert.equal(promise('airdrop.slots', file, ANNOUNCED), undefined)
  assert.equal(promise('airdrop.slots', file, OPENED), 'must be 10000 or more: that many were announced')
  assert.equal(
    promise('airdrop.slots', file, ARCHIVED),
    'must stay the same because the campaign is archived',
  )
  assert.match(promise('payout.perPoint.pf', file, FROZEN) ?? '', /^must stay the same while/)
  assert.equal(promise('payout.perPoint.pf', file, CLAIMED), undefined)
  assert.equal(promise('texts.hero', file, FROZEN), undefined)
})
