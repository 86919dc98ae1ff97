import { isDeepStrictEqual } from 'node:util'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Fault, Problem } from '../faults.ts'
import { readSetting } from './setting-paths.ts'

/** What has happened in a campaign. This determines which settings are promises. */
export type Situation = {
  /** Milliseconds since 1970 by the database's clock. */
  now: number
  /** The opening is past and there is at least one participant. */
  hasOpened: boolean
  /** There is a claim, even if it is rejected. */
  hasClaims: boolean
  slotsTaken: number
  /** An allocation is frozen, or is being frozen. */
  isFrozen: boolean
  isArchived: boolean
}

type Rule = {
  /** The path of a setting, or of an object with several settings. */
  path: string
  appliesTo: (situation: Situation) => boolean
  allows: (before: unknown, after: unknown, situation: Situation) => boolean
  /** The fault of a change that breaks the promise. @param before the promised value. */
  promise: (before: unknown, situation: Situation) => Fault
}

const hasClaims = (situation: Situation) => situation.hasClaims
const hasOpened = (situation: Situation) => situation.hasOpened
const isFrozen = (situation: Situation) => situation.isFrozen
const isArchived = (situation: Situation) => situation.isArchived
const isSame = (before: unknown, after: unknown) => isDeepStrictEqual(before, after)
const isNotLess = (before: unknown, after: unknown) => Number(after) >= Number(before)
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const timeOf = (value: unknown) => Date.parse(textOf(value))
const isSameMoment = (before: unknown, after: unknown) => timeOf(before) === timeOf(after)

const worthsOf = (tasks: unknown) =>
  new Map((tasks as CampaignFile['airdrop']['tasks']).map(({ id, points }) => [id, points]))

const FIXED_BY_FREEZE = [
  'token.contract',
  'token.decimals',
  'chain.currency.decimals',
  'payout.perPoint',
  'payout.minimum',
  'payout.duplicateWallets',
]

/** Whether a setting on which a freeze's amounts depend has changed. A new setting does not count. Pure. */
export const changesAmounts = (before: unknown, after: CampaignFile): boolean =>
  FIXED_BY_FREEZE.some((path) => {
    const value = readSetting(before, path)
    return value !== undefined && !isSame(value, readSetting(after, path))
  })

type PromisedValue = 'points_claimed' | 'reward_promised' | 'rewards_promised' | 'chain_claimed'

/** A rule for a value that participants relied on when they claimed. */
const promisedToClaims = (path: string, code: PromisedValue, allows: Rule['allows']): Rule => ({
  path,
  appliesTo: hasClaims,
  allows,
  promise: (before) => ({ code, before: textOf(before) }),
})

/** A rule for a value on the page of an archived campaign. */
const finalInArchive = (path: string, allows: Rule['allows']): Rule => ({
  path,
  appliesTo: isArchived,
  allows,
  promise: () => ({ code: 'archived' }),
})

/** All rules. If a change breaks several with the same path, only the first of them is reported. */
export const RULES: readonly Rule[] = [
  finalInArchive('airdrop.slots', isSame),
  finalInArchive('airdrop.opensAt', isSameMoment),
  finalInArchive('airdrop.closesAt', isSameMoment),
  {
    path: 'airdrop.slots',
    appliesTo: (situation) => hasOpened(situation) || hasClaims(situation),
    allows: isNotLess,
    promise: (before) => ({ code: 'slots_announced', before: textOf(before) }),
  },
  {
    path: 'airdrop.slots',
    appliesTo: ({ slotsTaken }) => slotsTaken > 0,
    allows: (_before, after, { slotsTaken }) => Number(after) >= slotsTaken,
    promise: (_before, { slotsTaken }) => ({ code: 'slots_taken', taken: slotsTaken }),
  },
  {
    path: 'airdrop.opensAt',
    appliesTo: hasOpened,
    allows: isSameMoment,
    promise: (before) => ({ code: 'has_opened', before: textOf(before) }),
  },
  {
    path: 'airdrop.closesAt',
    appliesTo: hasClaims,
    // An end may be postponed, removed or added. The next rule refuses an end in the past.
    allows: (before, after) => before === null || after === null || timeOf(after) >= timeOf(before),
    // A campaign without an end cannot break this rule, so `promiseOf` states the next one.
    promise: (before) =>
      before === null ? { code: 'in_the_past' } : { code: 'end_promised', before: textOf(before) },
  },
  {
    path: 'airdrop.closesAt',
    appliesTo: hasOpened,
    allows: (_before, after, { now }) => after === null || timeOf(after) >= now,
    promise: () => ({ code: 'in_the_past' }),
  },
  promisedToClaims('airdrop.pointsPerTask', 'points_claimed', isSame),
  promisedToClaims('airdrop.referralReward', 'reward_promised', isSame),
  promisedToClaims('airdrop.referralsPaid', 'rewards_promised', isNotLess),
  {
    path: 'airdrop.tasks',
    appliesTo: hasClaims,
    allows: (before, after) => isSame(worthsOf(before), worthsOf(after)),
    promise: () => ({ code: 'tasks_done' }),
  },
  promisedToClaims('chain.id', 'chain_claimed', isSame),
  ...FIXED_BY_FREEZE.map((path): Rule => ({
    path,
    appliesTo: isFrozen,
    allows: isSame,
    promise: () => ({ code: 'frozen' }),
  })),
]

/** Pure. @param before the settings that participants know. A missing setting promises nothing. */
export function brokenPromises(before: unknown, after: CampaignFile, situation: Situation): Problem[] {
  const broken = new Map<string, Problem>()
  for (const { path, appliesTo, allows, promise } of RULES) {
    const [promised, changed] = [readSetting(before, path), readSetting(after, path)]
    if (broken.has(path) || promised === undefined || !appliesTo(situation)) continue
    const isKept = isSame(promised, changed) || allows(promised, changed, situation)
    if (!isKept) broken.set(path, { paths: [path], fault: promise(promised, situation) })
  }
  return [...broken.values()]
}

/** What a setting promises now, as the fault of a change that would break it. */
export function promiseOf(path: string, campaign: CampaignFile, situation: Situation): Fault | undefined {
  const rule = RULES.find(
    (each) => (path === each.path || path.startsWith(`${each.path}.`)) && each.appliesTo(situation),
  )
  return rule?.promise(readSetting(campaign, rule.path), situation)
}
