import * as z from 'zod/mini'

/**
 * The shape of `campaign.config.ts`, the one file a community edits. Validated at start; every mistake
 * is reported on a line of its own with the path of the value.
 */
const Text = z.string().check(z.minLength(1, 'must not be empty'))
const HttpsUrl = z
  .string()
  .check(
    z.refine(
      (text) => URL.canParse(text) && new URL(text).protocol === 'https:',
      'must be an https:// address',
    ),
  )
const LinkTemplate = z
  .string()
  .check(
    z.refine(
      (text) => text.startsWith('https://') && text.includes('{contract}'),
      'must be an https:// address with {contract}',
    ),
  )
const Day = z.iso.datetime({
  offset: true,
  error: 'must be a date with time and zone, as 2027-01-31T12:00:00Z',
})
const WholeAtLeast = (minimum: number) =>
  z.int('must be a whole number').check(z.minimum(minimum, `must be at least ${minimum}`))
/** Judged whatever else is wrong: a check by length alone would leave what too long a list holds unread. */
const Exactly = (count: number, message: string) =>
  z.refine<readonly unknown[]>((list) => list.length === count, {
    error: message,
    when: ({ value }) => Array.isArray(value),
  })
const Entry = z.strictObject({ title: Text, text: Text })
const FeatureDrawingName = z.enum(['stealth', 'taxes', 'liquidity', 'community', 'anti-bot', 'rewards'])
/** One of the small drawings that may stand above a feature. */
export type FeatureDrawingName = z.output<typeof FeatureDrawingName>
const Feature = z.extend(Entry, { drawing: z.optional(FeatureDrawingName) })
/** A calendar day, as it stands under a page of rules. */
const CalendarDay = z.iso.date({ error: 'must be a day, as 2027-01-31' })
const Mailbox = z.string().check(z.regex(/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/, 'must be an email address'))
const Links = z.strictObject({ twitter: HttpsUrl, telegram: HttpsUrl, website: HttpsUrl })

export const CampaignFile = z.strictObject({
  /** Names this campaign in the database; a new id starts a new campaign with its own slots and claims. */
  id: z.string().check(z.regex(/^[a-z0-9-]{3,40}$/, 'must be 3 to 40 lower-case letters, digits or dashes')),
  name: Text,
  token: z.strictObject({
    name: Text,
    symbol: z.string().check(z.regex(/^[A-Za-z0-9$]{1,11}$/, 'must be 1 to 11 letters or digits')),
    /** As text, with separators, as it is shown. */
    supply: z.string().check(z.regex(/^[0-9]{1,3}(,[0-9]{3})*$/, 'must be grouped digits, as 1,000,000,000')),
    decimals: WholeAtLeast(0),
    /** With its EIP-55 checksum. */
    contract: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits')),
    /** True while the contract above is made up: every page says so. */
    placeholder: z.boolean(),
    description: Text,
    socials: Links,
  }),
  chain: z.strictObject({
    id: WholeAtLeast(1),
    name: Text,
    /** The chart service's name of the chain. */
    slug: Text,
    currency: z.strictObject({ name: Text, symbol: Text, decimals: WholeAtLeast(0) }),
    rpcUrl: HttpsUrl,
    explorerUrl: HttpsUrl,
  }),
  links: z.strictObject({
    /** `{contract}` is replaced by the token's address. */
    swap: LinkTemplate,
    chart: LinkTemplate,
  }),
  airdrop: z.strictObject({
    /** Exactly four: follow the project, follow the founder, like + retweet + comment, join the group. */
    tasks: z
      .array(
        z.strictObject({
          id: z.string().check(z.regex(/^[a-z-]+$/, 'must be lower-case letters and dashes')),
          title: Text,
          detail: Text,
          url: HttpsUrl,
          hashtags: z.optional(
            z.array(z.string().check(z.regex(/^#[A-Za-z0-9_]+$/, 'must be # and letters, digits or _'))),
          ),
        }),
      )
      .check(Exactly(4, 'must hold exactly four tasks')),
    pointsPerTask: WholeAtLeast(1),
    slots: WholeAtLeast(1),
    opensAt: Day,
    /** Null: stays open until the slots are gone. */
    closesAt: z.nullable(Day),
    referralReward: WholeAtLeast(0),
    /** How many invited people pay a reward to one person. */
    referralsPaid: WholeAtLeast(0),
  }),
  texts: z.strictObject({
    tagline: Text,
    hero: Text,
    mission: Text,
    wish: Text,
    risk: Text,
    about: Text,
    features: z.array(Feature).check(Exactly(6, 'must hold six feature cards')),
    tokenomics: Text,
    facts: z.array(Entry).check(Exactly(5, 'must hold five facts')),
    howToBuy: Text,
    roadmap: Text,
    airdrop: Text,
    airdropRules: z.array(Text),
  }),
  /**
   * Who answers for the campaign, and the small print. What the product itself does (dates, slots, points,
   * what it stores and for how long) stands on the pages of rules and privacy by itself.
   */
  smallPrint: z.strictObject({
    operator: Text,
    /** Where questions and requests about personal data go. */
    contact: Mailbox,
    /** When any of this was last changed. */
    updatedOn: CalendarDay,
    /** How long accounts, claims and points are kept; completes "Kept …". */
    keptUntil: Text,
    /** How long the web server's log, which holds network addresses, is kept; completes "Kept …". */
    logsKept: Text,
    /** Paragraphs of your own, below what the product says. */
    rules: z.array(Entry),
    privacy: z.array(Entry),
    terms: z.array(Entry),
  }),
  roadmap: z.array(
    z.strictObject({
      phase: Text,
      status: z.enum(['completed', 'in-progress', 'upcoming']),
      points: z.array(Text),
    }),
  ),
})
export type CampaignFile = z.output<typeof CampaignFile>

/** Gives `campaign.config.ts` its types in an editor; the start validates it. */
export function defineCampaign(campaign: CampaignFile): CampaignFile {
  return campaign
}

/** A link template of the campaign with the token's address filled in. */
export function linkFor(template: string, contract: string): string {
  return template.replaceAll('{contract}', contract)
}
