import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import defaults from '#server/testing/campaign.ts'
import { payoutCampaign } from '#server/testing/builders/payouts.ts'
import { faultIn, problemIn } from './faults.ts'
import { brokenPromises, promiseOf, RULES, type Situation } from './setting-promises.ts'
import { readSetting, SETTING_PATHS, withSetting } from './setting-paths.ts'

const NOW = '2026-06-01T00:00:00Z'
const CLOSES = '2026-09-01T00:00:00Z'
const file: CampaignFile = payoutCampaign()
const closing = withSetting(file, 'airdrop.closesAt', CLOSES) as CampaignFile

/** A campaign that is announced, and nothing more. */
const ANNOUNCED: Situation = {
  now: Date.parse(NOW),
  hasOpened: false,
  hasClaims: false,
  slotsTaken: 0,
  isFrozen: false,
}
const OPENED = { ...ANNOUNCED, hasOpened: true }
const CLAIMED = { ...OPENED, hasClaims: true, slotsTaken: 1 }
const FROZEN = { ...CLAIMED, isFrozen: true }

const [first, ...others] = file.airdrop.tasks

type Row = {
  path: string
  /** Value now; the file's when absent. */
  from?: CampaignFile
  to: unknown
  /** The last situation in which the change is allowed, and the first in which it is refused; undefined: never. */
  until: Situation | 'always'
  refused?: Situation
}

const ROWS: Row[] = [
  { path: 'airdrop.slots', to: 20_000, until: 'always' },
  { path: 'airdrop.slots', to: 9_999, until: ANNOUNCED, refused: OPENED },
  { path: 'airdrop.opensAt', to: '2026-02-01T00:00:00Z', until: ANNOUNCED, refused: OPENED },
  // The same moment in another zone.
  { path: 'airdrop.opensAt', to: '2026-01-01T02:00:00+02:00', until: 'always' },
  { path: 'airdrop.closesAt', from: closing, to: '2026-10-01T00:00:00Z', until: 'always' },
  { path: 'airdrop.closesAt', from: closing, to: null, until: 'always' },
  { path: 'airdrop.closesAt', from: closing, to: '2026-08-01T00:00:00Z', until: OPENED, refused: CLAIMED },
  { path: 'airdrop.closesAt', from: closing, to: '2026-05-01T00:00:00Z', until: ANNOUNCED, refused: OPENED },
  { path: 'airdrop.closesAt', to: '2026-06-02T00:00:00Z', until: 'always' },
  { path: 'airdrop.closesAt', to: '2026-05-31T00:00:00Z', until: ANNOUNCED, refused: OPENED },
  { path: 'airdrop.pointsPerTask', to: 6_000, until: OPENED, refused: CLAIMED },
  { path: 'airdrop.pointsPerTask', to: 4_000, until: OPENED, refused: CLAIMED },
  { path: 'airdrop.referralReward', to: 2_000, until: OPENED, refused: CLAIMED },
  { path: 'airdrop.referralsPaid', to: 51, until: 'always' },
  { path: 'airdrop.referralsPaid', to: 49, until: OPENED, refused: CLAIMED },
  { path: 'airdrop.tasks', to: [...others, first], until: 'always' },
  { path: 'airdrop.tasks', to: [{ ...first, title: 'Other words' }, ...others], until: 'always' },
  {
    path: 'airdrop.tasks',
    to: [{ ...first, points: { pf: 1, pls: 1 } }, ...others],
    until: OPENED,
    refused: CLAIMED,
  },
  { path: 'airdrop.tasks', to: others, until: OPENED, refused: CLAIMED },
  {
    path: 'airdrop.tasks',
    to: [...file.airdrop.tasks, { ...first, id: 'more' }],
    until: OPENED,
    refused: CLAIMED,
  },
  { path: 'chain.id', to: 1, until: OPENED, refused: CLAIMED },
  { path: 'token.contract', to: `0x${'1'.repeat(40)}`, until: CLAIMED, refused: FROZEN },
  { path: 'token.decimals', to: 8, until: CLAIMED, refused: FROZEN },
  { path: 'chain.currency.decimals', to: 8, until: CLAIMED, refused: FROZEN },
  { path: 'payout.perPoint', to: { pf: '2', pls: '1', referral: '1' }, until: CLAIMED, refused: FROZEN },
  { path: 'payout.minimum', to: { pf: '2', pls: '1' }, until: CLAIMED, refused: FROZEN },
  { path: 'payout.duplicateWallets', to: 'refuse', until: CLAIMED, refused: FROZEN },
  { path: 'name', to: 'Another', until: 'always' },
  { path: 'texts.hero', to: 'Another', until: 'always' },
]

const SITUATIONS = [ANNOUNCED, OPENED, CLAIMED, FROZEN]

for (const { path, from = file, to, until, refused } of ROWS)
  test(`${path} from ${JSON.stringify(readSetting(from, path))?.slice(0, 30)} to ${JSON.stringify(to).slice(0, 30)}`, () => {
    const after = withSetting(from, path, to) as CampaignFile
    const problems = SITUATIONS.map((situation) => brokenPromises(from, after, situation))
    const isRefused = SITUATIONS.map(
      (_each, index) => refused !== undefined && index >= SITUATIONS.indexOf(refused),
    )
    const haveProblems = problems.map((found) => found.length > 0)
    assert.deepEqual(haveProblems, isRefused)
    if (until !== 'always') assert.equal(SITUATIONS.indexOf(refused ?? FROZEN), SITUATIONS.indexOf(until) + 1)
    for (const found of problems.flat()) {
      assert.deepEqual(found.paths, [path])
      assert.ok(problemIn(found).startsWith(`${path} must `), problemIn(found))
    }
  })

test('each rule is tested above, and is about settings that exist', () => {
  for (const { path } of RULES) {
    assert.ok(
      ROWS.some((row) => row.path === path && row.refused),
      path,
    )
    assert.ok(
      [...SETTING_PATHS, 'chain.id'].some((known) => known === path || known.startsWith(`${path}.`)),
      path,
    )
  }
})

test('fewer slots than taken are refused whatever else has happened', () => {
  const after = withSetting(file, 'airdrop.slots', 39) as CampaignFile
  const [problem] = brokenPromises(file, after, { ...ANNOUNCED, slotsTaken: 40 })
  assert.equal(problem && problemIn(problem), 'airdrop.slots must be 40 or more, because that many are taken')
})

test('several broken promises are all named; settings of a former version promise nothing new', () => {
  const after = { ...file, airdrop: { ...file.airdrop, slots: 5, pointsPerTask: 1, referralReward: 1 } }
  const broken = brokenPromises(file, after, CLAIMED).map(({ paths }) => paths[0])
  assert.deepEqual(broken, ['airdrop.slots', 'airdrop.pointsPerTask', 'airdrop.referralReward'])
  assert.deepEqual(brokenPromises({ airdrop: { slots: 5 } }, after, FROZEN), [])
  assert.deepEqual(brokenPromises(file, { ...file }, FROZEN), [])
})

test('a setting says what it promises now', () => {
  const promise = (...given: Parameters<typeof promiseOf>) => {
    const fault = promiseOf(...given)
    return fault && faultIn(fault)
  }
  assert.equal(promise('airdrop.slots', file, ANNOUNCED), undefined)
  assert.equal(promise('airdrop.slots', file, OPENED), 'must be 10000 or more: that many were announced')
  assert.match(promise('payout.perPoint.pf', file, FROZEN) ?? '', /^must stay the same while/)
  assert.equal(promise('payout.perPoint.pf', file, CLAIMED), undefined)
  assert.equal(promise('texts.hero', defaults, FROZEN), undefined)
})
