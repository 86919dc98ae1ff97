import {
  ADD,
  CLAIMS,
  DRAWINGS,
  DUPLICATES,
  ITEMS,
  PHASES,
  SETTING_GROUPS as GROUP_WORDS,
  SETTING_HELP,
  SETTING_LABELS,
  SETTINGS,
} from '#messages/dashboard-settings.js'
import type { PreviewPage, Setting } from '#contract/dashboard/settings.ts'

export type Input =
  | 'text'
  /** A text of several lines. */
  | 'long'
  | 'number'
  | 'moment'
  /** May be empty. */
  | 'moment-or-none'
  | 'flag'
  /** A list with one item per line. */
  | 'lines'
  | 'json'
  | { choices: Readonly<Record<string, string>> }
  | { items: readonly Column[]; add: string }

/** One field of a list's items. */
export type Column = {
  key: string
  label: string
  /** `words`: a list on one line. `points`: a task's own points of both kinds. */
  input: 'text' | 'long' | 'lines' | 'words' | 'points' | { choices: Readonly<Record<string, string>> }
  /** Left out of the item when empty. */
  optional?: true
}

export type SettingField = { path: string; label: string; help?: string; input: Input }

export type SettingGroup = {
  id: string
  title: string
  lead: string
  /** The page that shows most of the group's settings. */
  page: PreviewPage
  fields: readonly SettingField[]
}

const HELP: Readonly<Record<string, string>> = SETTING_HELP

function field(path: keyof typeof SETTING_LABELS, input: Input = 'text'): SettingField {
  const help = HELP[path]
  return { path, label: SETTING_LABELS[path], input, ...(help === undefined ? {} : { help }) }
}

const group = (id: keyof typeof GROUP_WORDS, page: PreviewPage, fields: SettingField[]): SettingGroup => ({
  id,
  ...GROUP_WORDS[id],
  page,
  fields,
})

const TITLE_AND_TEXT: readonly Column[] = [
  { key: 'title', label: ITEMS.heading, input: 'text' },
  { key: 'text', label: ITEMS.text, input: 'long' },
]
const CLAIM: Column = { key: 'claim', label: ITEMS.claim, input: { choices: CLAIMS }, optional: true }

/** All settings except those of the look, as the dashboard groups them. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  group('token', '/', [
    field('name'),
    field('token.name'),
    field('token.symbol'),
    field('token.supply'),
    field('token.decimals', 'number'),
    field('token.contract'),
    field('token.placeholder', 'flag'),
    field('token.description', 'long'),
  ]),
  group('links', '/howtobuy', [
    field('token.socials.twitter'),
    field('token.socials.telegram'),
    field('token.socials.website'),
    field('links.swap'),
    field('links.chart'),
  ]),
  group('tasks', '/rules', [
    field('airdrop.tasks', {
      add: ADD.task,
      items: [
        { key: 'id', label: ITEMS.id, input: 'text' },
        { key: 'title', label: ITEMS.todo, input: 'text' },
        { key: 'detail', label: ITEMS.detail, input: 'long' },
        { key: 'url', label: ITEMS.url, input: 'text' },
        { key: 'hashtags', label: ITEMS.hashtags, input: 'words', optional: true },
        { key: 'points', label: ITEMS.points, input: 'points', optional: true },
      ],
    }),
    field('airdrop.pointsPerTask', 'number'),
    field('airdrop.referralReward', 'number'),
    field('airdrop.referralsPaid', 'number'),
  ]),
  group('slots', '/rules', [
    field('airdrop.slots', 'number'),
    field('airdrop.opensAt', 'moment'),
    field('airdrop.closesAt', 'moment-or-none'),
  ]),
  group('texts', '/', [
    field('texts.tagline'),
    field('texts.hero', 'long'),
    field('texts.mission', 'long'),
    field('texts.wish', 'long'),
    field('texts.risk', 'long'),
    field('texts.about', 'long'),
    field('texts.tokenomics', 'long'),
    field('texts.howToBuy', 'long'),
    field('texts.roadmap', 'long'),
    field('texts.airdrop', 'long'),
    field('texts.airdropRules', 'lines'),
  ]),
  group('features', '/', [
    field('texts.features', {
      add: ADD.feature,
      items: [
        ...TITLE_AND_TEXT,
        { key: 'drawing', label: ITEMS.drawing, input: { choices: DRAWINGS }, optional: true },
        CLAIM,
      ],
    }),
  ]),
  group('facts', '/tokenomics', [field('texts.facts', { add: ADD.fact, items: [...TITLE_AND_TEXT, CLAIM] })]),
  group('roadmap', '/roadmap', [
    field('roadmap', {
      add: ADD.phase,
      items: [
        { key: 'phase', label: ITEMS.phase, input: 'text' },
        { key: 'status', label: ITEMS.status, input: { choices: PHASES } },
        { key: 'points', label: ITEMS.brings, input: 'lines' },
      ],
    }),
  ]),
  group('payout', '/rules', [
    field('payout.perPoint.pf'),
    field('payout.perPoint.pls'),
    field('payout.perPoint.referral'),
    field('payout.minimum.pf'),
    field('payout.minimum.pls'),
    field('payout.duplicateWallets', { choices: DUPLICATES }),
  ]),
  group('small-print', '/rules', [
    field('smallPrint.operator'),
    field('smallPrint.contact'),
    field('smallPrint.updatedOn'),
    field('smallPrint.keptUntil', 'long'),
    field('smallPrint.logsKept'),
    field('smallPrint.rules', { add: ADD.rule, items: TITLE_AND_TEXT }),
    field('smallPrint.privacy', { add: ADD.paragraph, items: TITLE_AND_TEXT }),
    field('smallPrint.terms', { add: ADD.term, items: TITLE_AND_TEXT }),
  ]),
  group('chain', '/howtobuy', [
    field('chain.name'),
    field('chain.slug'),
    field('chain.currency.name'),
    field('chain.currency.symbol'),
    field('chain.currency.decimals', 'number'),
    field('chain.rpcUrl'),
    field('chain.explorerUrl'),
    field('chain.markets', 'json'),
  ]),
]

type ShownSetting = Pick<Setting, 'path' | 'value'>

/** The groups of the form. Settings that none of them lists are added as a last group, Other. */
export function groupsOf(settings: readonly ShownSetting[]): readonly SettingGroup[] {
  const listed = new Set(SETTING_GROUPS.flatMap(({ fields }) => fields.map(({ path }) => path)))
  const others = settings.filter(({ path }) => !listed.has(path) && !hasOwnScreen(path))
  if (others.length === 0) return SETTING_GROUPS
  const { other: title, otherLead: lead } = SETTINGS
  return [...SETTING_GROUPS, { id: 'other', title, lead, page: '/', fields: others.map(fieldOf) }]
}

/** Colors and pictures are changed under Look. */
const hasOwnScreen = (path: string) => path === 'look' || path.startsWith('look.')

const fieldOf = ({ path, value }: ShownSetting): SettingField => ({
  path,
  label: path,
  input: inputOf(value),
})

function inputOf(value: unknown): Input {
  if (typeof value === 'boolean') return 'flag'
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' ? 'text' : 'json'
}
