import { isDeepStrictEqual } from 'node:util'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Problem } from './load-campaign.ts'
import { readSetting } from './setting-paths.ts'

/** What has happened in a campaign, by which its settings became promises. */
export type Situation = {
  /** Milliseconds since 1970 by the database's clock. */
  now: number
  /** The campaign is open and has at least one participant. */
  hasOpened: boolean
  /** Anyone has claimed, whatever became of the claim. */
  hasClaims: boolean
  slotsTaken: number
  /** An allocation is frozen. */
  isFrozen: boolean
}

/** What a setting promises, and which changes keep the promise. */
export type Rule = {
  /** A setting, or the beginning of several. */
  path: string
  holds: (situation: Situation) => boolean
  keeps: (before: unknown, after: unknown, situation: Situation) => boolean
  /** Completes the path to a sentence. @param before the promised value. */
  words: (before: unknown, situation: Situation) => string
}

const claimed = ({ hasClaims }: Situation) => hasClaims
const opened = ({ hasOpened }: Situation) => hasOpened
const frozen = ({ isFrozen }: Situation) => isFrozen
const same = (before: unknown, after: unknown) => isDeepStrictEqual(before, after)
const notLess = (before: unknown, after: unknown) => Number(after) >= Number(before)
const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const moment = (value: unknown) => Date.parse(shown(value))

/** What each task is worth, by its id. */
const worths = (tasks: unknown) =>
  new Map((tasks as CampaignFile['airdrop']['tasks']).map(({ id, points }) => [id, points]))

const FROZEN = [
  'token.contract',
  'token.decimals',
  'chain.currency.decimals',
  'payout.perPoint',
  'payout.minimum',
  'payout.duplicateWallets',
]

/** What participants may rely on. Of several rules for one path, the first that is broken counts. */
export const RULES: readonly Rule[] = [
  {
    path: 'airdrop.slots',
    holds: (situation) => opened(situation) || claimed(situation),
    keeps: notLess,
    words: (before) => `must be ${shown(before)} or more: that many were announced`,
  },
  {
    path: 'airdrop.slots',
    holds: ({ slotsTaken }) => slotsTaken > 0,
    keeps: (_before, after, { slotsTaken }) => Number(after) >= slotsTaken,
    words: (_before, { slotsTaken }) => `must be ${slotsTaken} or more, because that many are taken`,
  },
  {
    path: 'airdrop.opensAt',
    holds: opened,
    keeps: (before, after) => moment(before) === moment(after),
    words: (before) => `must stay ${shown(before)} because the airdrop has opened`,
  },
  {
    path: 'airdrop.closesAt',
    holds: claimed,
    keeps: (before, after) => before === null || after === null || moment(after) >= moment(before),
    words: (before) =>
      before === null
        ? 'must be in the future'
        : `must not be before ${shown(before)}, the date participants were promised`,
  },
  {
    path: 'airdrop.closesAt',
    holds: opened,
    keeps: (_before, after, { now }) => after === null || moment(after) >= now,
    words: () => 'must be in the future',
  },
  {
    path: 'airdrop.pointsPerTask',
    holds: claimed,
    keeps: same,
    words: (before) => `must stay ${shown(before)} because people have claimed for these points`,
  },
  {
    path: 'airdrop.referralReward',
    holds: claimed,
    keeps: same,
    words: (before) => `must stay ${shown(before)} because people were invited for this reward`,
  },
  {
    path: 'airdrop.referralsPaid',
    holds: claimed,
    keeps: notLess,
    words: (before) => `must be ${shown(before)} or more because people were invited for this reward`,
  },
  {
    path: 'airdrop.tasks',
    holds: claimed,
    keeps: (before, after) => same(worths(before), worths(after)),
    words: () =>
      'must keep its tasks with their IDs and points because people have done them. You can change texts and links',
  },
  {
    path: 'chain.id',
    holds: claimed,
    keeps: same,
    words: (before) => `must stay ${shown(before)} because claims name wallets on that chain`,
  },
  ...FROZEN.map((path) => ({
    path,
    holds: frozen,
    keeps: same,
    words: () => 'must stay the same while an allocation is frozen: undo the freeze first',
  })),
]

/**
 * Which promises a change of settings would break. Pure.
 * @param before the settings that participants know; values that a former version did not have promise nothing.
 */
export function brokenPromises(before: unknown, after: CampaignFile, situation: Situation): Problem[] {
  const broken = new Map<string, Problem>()
  for (const { path, holds, keeps, words } of RULES) {
    const [promised, changed] = [readSetting(before, path), readSetting(after, path)]
    if (broken.has(path) || promised === undefined || !holds(situation) || same(promised, changed)) continue
    if (keeps(promised, changed, situation)) continue
    broken.set(path, { paths: [path], text: `${path} ${words(promised, situation)}` })
  }
  return [...broken.values()]
}

/** What a setting promises now, in a sentence without its path; undefined if nothing. */
export function promiseOf(path: string, campaign: CampaignFile, situation: Situation): string | undefined {
  const rule = RULES.find(
    (each) => (path === each.path || path.startsWith(`${each.path}.`)) && each.holds(situation),
  )
  return rule?.words(readSetting(campaign, rule.path), situation)
}
