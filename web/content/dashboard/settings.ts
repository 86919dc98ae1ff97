import { CLAIMS, DRAWINGS, CLAIM as CLAIM_MESSAGES } from '#messages/dashboard-settings.js'
import type { PreviewPage } from '#contract/dashboard/settings.ts'

/** How a setting is edited. */
export type Input =
  | 'text'
  | 'long'
  | 'number'
  | 'moment'
  /** May be empty. */
  | 'moment-or-none'
  | 'flag'
  /** One per line. */
  | 'lines'
  | 'json'
  | { choices: Readonly<Record<string, string>> }
  | { items: Columns; add: string }

/** The members of one item of a list. */
type Columns = readonly Column[]
export type Column = {
  key: string
  label: string
  input: 'text' | 'long' | 'lines' | 'words' | 'points' | { choices: Readonly<Record<string, string>> }
  /** Left out when empty. */
  optional?: true
}

export type SettingField = { path: string; label: string; help?: string; input: Input }

export type SettingGroup = {
  id: string
  title: string
  lead: string
  /** What shows most of the group. */
  page: PreviewPage
  fields: readonly SettingField[]
}

const field = (path: string, label: string, input: Input = 'text', help?: string): SettingField => ({
  path,
  label,
  input,
  ...(help === undefined ? {} : { help }),
})

const ENTRY: Columns = [
  { key: 'title', label: 'Heading', input: 'text' },
  { key: 'text', label: 'Text', input: 'long' },
]
const CLAIM: Column = {
  ...CLAIM_MESSAGES,
  input: { choices: CLAIMS },
  optional: true,
}

/** All settings, as the dashboard groups them. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    id: 'token',
    title: 'Token',
    lead: 'Names appear on every page and in every email.',
    page: '/',
    fields: [
      field('name', 'Name of the campaign', 'text', 'Emails are signed with it.'),
      field('token.name', 'Name of the token'),
      field('token.symbol', 'Symbol', 'text', '1 to 11 letters or digits.'),
      field('token.supply', 'Supply', 'text', 'With separators, like 1,000,000,000.'),
      field('token.decimals', 'Decimals', 'number'),
      field('token.contract', 'Contract', 'text', 'Copy it from the explorer: upper and lower case matter.'),
      field('token.placeholder', 'The contract is a placeholder, and every page says so', 'flag'),
      field('token.description', 'Description', 'long', 'For search engines and wallets.'),
    ],
  },
  {
    id: 'links',
    title: 'Links',
    lead: 'Where people find you and trade. {contract} is replaced by the contract address.',
    page: '/howtobuy',
    fields: [
      field('token.socials.twitter', 'X'),
      field('token.socials.telegram', 'Telegram'),
      field('token.socials.website', 'Website'),
      field('links.swap', 'Where to swap', 'text', 'Include {contract}.'),
      field('links.chart', 'Chart', 'text', 'Include {contract}.'),
    ],
  },
  {
    id: 'tasks',
    title: 'Tasks and points',
    lead: 'Once someone has claimed, you can still change the words and links of tasks, but not their ids and points.',
    page: '/',
    fields: [
      field('airdrop.tasks', 'Tasks', {
        add: 'Add a task',
        items: [
          { key: 'id', label: 'Id', input: 'text' },
          { key: 'title', label: 'What to do', input: 'text' },
          { key: 'detail', label: 'Detail', input: 'long' },
          { key: 'url', label: 'Link', input: 'text' },
          { key: 'hashtags', label: 'Hashtags, separated by spaces', input: 'words', optional: true },
          { key: 'points', label: 'Points, if different', input: 'points', optional: true },
        ],
      }),
      field('airdrop.pointsPerTask', 'Points per task', 'number', 'For tasks without points of their own.'),
      field('airdrop.referralReward', 'Points per referral', 'number'),
      field('airdrop.referralsPaid', 'Maximum rewarded referrals per participant', 'number'),
    ],
  },
  {
    id: 'slots',
    title: 'Slots and dates',
    lead: 'Times are in your time zone. Once the campaign is open, you can only add slots.',
    page: '/',
    fields: [
      field('airdrop.slots', 'Slots', 'number'),
      field('airdrop.opensAt', 'Opens', 'moment'),
      field(
        'airdrop.closesAt',
        'Closes',
        'moment-or-none',
        'Leave empty to stay open until the slots run out.',
      ),
    ],
  },
  {
    id: 'texts',
    title: 'Texts',
    lead: 'The words of the pages.',
    page: '/',
    fields: [
      field('texts.tagline', 'Tagline'),
      field('texts.hero', 'Opening paragraph', 'long'),
      field('texts.mission', 'Mission', 'long'),
      field('texts.wish', 'Wish', 'long'),
      field('texts.risk', 'Risk warning', 'long'),
      field('texts.about', 'About', 'long'),
      field('texts.tokenomics', 'Tokenomics', 'long'),
      field('texts.howToBuy', 'How to buy', 'long'),
      field('texts.roadmap', 'Roadmap introduction', 'long'),
      field('texts.airdrop', 'About the airdrop', 'long'),
      field('texts.airdropRules', 'Short rules', 'lines', 'One per line.'),
    ],
  },
  {
    id: 'features',
    title: 'Features',
    lead: 'The cards on Home.',
    page: '/',
    fields: [
      field('texts.features', 'Features', {
        add: 'Add a feature',
        items: [
          ...ENTRY,
          { key: 'drawing', label: 'Drawing', input: { choices: DRAWINGS }, optional: true },
          CLAIM,
        ],
      }),
    ],
  },
  {
    id: 'facts',
    title: 'Facts',
    lead: 'The list on Tokenomics.',
    page: '/tokenomics',
    fields: [field('texts.facts', 'Facts', { add: 'Add a fact', items: [...ENTRY, CLAIM] })],
  },
  {
    id: 'roadmap',
    title: 'Roadmap',
    lead: 'The phases with their stamps.',
    page: '/roadmap',
    fields: [
      field('roadmap', 'Phases', {
        add: 'Add a phase',
        items: [
          { key: 'phase', label: 'Phase', input: 'text' },
          {
            key: 'status',
            label: 'Stamp',
            input: {
              choices: { completed: 'Completed', 'in-progress': 'In Progress', upcoming: 'Upcoming' },
            },
          },
          { key: 'points', label: 'What it brings, one per line', input: 'lines' },
        ],
      }),
    ],
  },
  {
    id: 'payout',
    title: 'Payout',
    lead: 'What a point is worth. Fixed while an allocation is frozen.',
    page: '/rules',
    fields: [
      field('payout.perPoint.pf', 'Tokens per point', 'text', 'A decimal number, like 0.5.'),
      field('payout.perPoint.pls', 'Coins per coin point', 'text', 'A decimal number, like 0.5.'),
      field('payout.perPoint.referral', 'Tokens per referral point', 'text', 'A decimal number, like 0.5.'),
      field('payout.minimum.pf', 'Minimum payment in tokens'),
      field('payout.minimum.pls', 'Minimum payment in coins'),
      field('payout.duplicateWallets', 'Participants who share a wallet', {
        choices: { merge: 'Get one payment with their total', refuse: 'Stop the freeze' },
      }),
    ],
  },
  {
    id: 'small-print',
    title: 'Small print',
    lead: 'Rules, privacy and terms. The product describes its own part; add yours here.',
    page: '/rules',
    fields: [
      field('smallPrint.operator', 'Who runs the campaign'),
      field('smallPrint.contact', 'Email address for questions'),
      field('smallPrint.updatedOn', 'These texts last changed on', 'text', 'A date, like 2027-01-31.'),
      field('smallPrint.keptUntil', 'Accounts and claims are kept …', 'long', 'Completes “Kept …”.'),
      field('smallPrint.logsKept', 'Web server logs are kept …', 'text', 'Completes “Kept …”.'),
      field('smallPrint.rules', 'Further rules', { add: 'Add a rule', items: ENTRY }),
      field('smallPrint.privacy', 'Further paragraphs on privacy', { add: 'Add a paragraph', items: ENTRY }),
      field('smallPrint.terms', 'Further terms', { add: 'Add a term', items: ENTRY }),
    ],
  },
  {
    id: 'chain',
    title: 'Chain and explorer',
    lead: 'How wallets and visitors reach the chain. The chain itself is fixed by the campaign file.',
    page: '/howtobuy',
    fields: [
      field('chain.name', 'Name of the chain'),
      field('chain.slug', 'Name at the chart service'),
      field('chain.currency.name', 'Name of the coin'),
      field('chain.currency.symbol', 'Symbol of the coin'),
      field('chain.currency.decimals', 'Decimals of the coin', 'number'),
      field('chain.rpcUrl', 'Node that wallets use'),
      field('chain.explorerUrl', 'Explorer'),
      field(
        'chain.markets',
        'Exchanges',
        'json',
        'JSON, as in the campaign file. Leave empty on PulseChain to use PulseX.',
      ),
    ],
  },
]
