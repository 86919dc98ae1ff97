import * as z from 'zod/mini'
import type { Locale } from './locales.ts'
import { Look } from './look.ts'
import { moment } from './protocol/fields.ts'
import { PROOF_CLAIMS } from './token-proofs/proof.ts'

const Text = z.string().check(z.minLength(1, 'empty'))
/**
 * A text that people read, in the default language; `defineCampaign` takes it in every language. Must not be
 * the same object as `Text`: the server finds the texts to translate by this schema.
 */
export const Words = z.string().check(z.minLength(1, 'empty'))
const HttpsUrl = z
  .string()
  .check(z.refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', 'https'))
const LinkTemplate = z
  .string()
  .check(z.refine((text) => text.startsWith('https://') && text.includes('{contract}'), 'link_template'))
/** PostgreSQL refuses offsets from UTC of 16 hours or more. */
const Moment = moment('moment').check(z.refine((text) => !/[+-](1[6-9]|2\d):\d\d$/.test(text), 'moment'))
const WholeAtLeast = (minimum: number) => z.int('whole').check(z.minimum(minimum, 'at_least'))
const WholeBetween = (minimum: number, maximum: number) =>
  WholeAtLeast(minimum).check(z.maximum(maximum, 'at_most'))
const MAX_POINTS = 1_000_000_000
/** PostgreSQL counts slots with 32 bits. */
export const MAX_SLOTS = 1_000_000_000
/** With more decimals, a `uint256` cannot hold one whole token. */
const Decimals = WholeBetween(0, 77)
const PointsAtLeast = (minimum: number) => WholeBetween(minimum, MAX_POINTS)
/** Unlike `z.maxLength`, also checks lists with wrong entries, so that both errors are reported. */
const LengthBetween = (minimum: number, maximum: number, message: string) =>
  z.refine<readonly unknown[]>((list) => list.length >= minimum && list.length <= maximum, {
    error: message,
    when: ({ value }) => Array.isArray(value),
  })
const Entry = z.strictObject({ title: Words, text: Words })
/** `claim`: what the text states, if the chain can prove it. While proven, the text is stamped Verified. */
const Statement = z.extend(Entry, { claim: z.optional(z.enum(PROOF_CLAIMS)) })
const FeatureDrawingName = z.enum(['stealth', 'taxes', 'liquidity', 'community', 'anti-bot', 'rewards'])
/** A drawing shown above a feature, such as `taxes` above one about zero taxes. */
export type FeatureDrawingName = z.output<typeof FeatureDrawingName>
const Feature = z.extend(Statement, { drawing: z.optional(FeatureDrawingName) })
const Address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'address'))
const Decimal = z.string().check(z.regex(/^(0|[1-9][0-9]{0,14})(\.[0-9]{1,18})?$/, 'decimal'))
/** What a task is worth instead of `pointsPerTask`: points in the token (PF) and in the coin (PLS). */
const TaskPoints = z
  .strictObject({ pf: PointsAtLeast(0), pls: PointsAtLeast(0) })
  .check(z.refine(({ pf, pls }) => pf + pls > 0, 'no_points'))
/** The exchanges on which the token is traded, all with Uniswap V2's interface. */
const Markets = z.strictObject({
  exchanges: z.array(z.strictObject({ name: Text, factory: Address, router: Address })),
  /** The native coin as a token, WPLS on PulseChain. */
  wrappedCoin: Address,
  /** The token whose pool with the wrapped coin gives the coin's price in dollars. */
  dollar: z.strictObject({ symbol: Text, address: Address, decimals: Decimals }),
  /** Tokens whose pools with the campaign's token also count as its liquidity. */
  quotes: z.array(z.strictObject({ symbol: Text, address: Address })),
  /** Where liquidity tokens are gone forever: no one has the key of an address with 32 leading zeros. */
  burnAddresses: z.array(Address.check(z.refine((address) => /^0x0{32}/.test(address), 'burn_address'))),
})
export type Markets = z.output<typeof Markets>
const CalendarDay = z.iso.date({ error: 'day' })
/** No label contains a dot, so that matching takes linear time. */
const Mailbox = z.string().check(z.regex(/^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/, 'mailbox'))
const Links = z.strictObject({ twitter: HttpsUrl, telegram: HttpsUrl, website: HttpsUrl })

/**
 * The schema of the campaign file, `campaign.config.ts`. Validated at start; each error is reported on a line
 * of its own with the path of the value. The errors' messages are keys of `FAULTS` in `messages/`.
 */
export const CampaignFile = z.strictObject({
  /** Identifies the campaign in the database; a new id starts a campaign with slots and claims of its own. */
  id: z.string().check(z.regex(/^[a-z0-9-]{3,40}$/, 'campaign_id')),
  name: Words,
  /** Token info that the pages show; its chart is in `links`, and its price comes from a service. */
  token: z.strictObject({
    name: Text,
    symbol: z.string().check(z.regex(/^[A-Za-z0-9$]{1,11}$/, 'symbol')),
    /** The total supply with thousands separators; the token check compares it with `totalSupply()`. */
    supply: z.string().check(z.regex(/^[0-9]{1,3}(,[0-9]{3})*$/, 'supply')),
    decimals: Decimals,
    /** With its EIP-55 checksum. */
    contract: Address,
    /** True while the contract address is a placeholder; every page then says so. */
    placeholder: z.boolean(),
    description: Words,
    /** Social links, for the footer, the About page and structured data. */
    socials: Links,
  }),
  chain: z.strictObject({
    /** The chain id (chainId) of EIP-155. */
    id: WholeAtLeast(1),
    name: Text,
    /** The price service's identifier of the chain. */
    slug: Text,
    currency: z.strictObject({ name: Text, symbol: Text, decimals: Decimals }),
    rpcUrl: HttpsUrl,
    explorerUrl: HttpsUrl,
    /** If omitted: on PulseChain, PulseX V1 and V2; on other chains, liquidity and tax cannot be proven. */
    markets: z.optional(Markets),
  }),
  links: z.strictObject({
    /** In both links, `{contract}` is replaced by the token's address. */
    swap: LinkTemplate,
    chart: LinkTemplate,
  }),
  airdrop: z.strictObject({
    tasks: z
      .array(
        z.strictObject({
          id: z.string().check(z.regex(/^[a-z0-9-]+$/, 'task_id')),
          title: Words,
          detail: Words,
          url: HttpsUrl,
          hashtags: z.optional(z.array(z.string().check(z.regex(/^#[A-Za-z0-9_]+$/, 'hashtag')))),
          points: z.optional(TaskPoints),
        }),
      )
      .check(LengthBetween(1, 10, 'tasks')),
    /** What a task without `points` of its own grants, of each kind. */
    pointsPerTask: PointsAtLeast(1),
    slots: WholeBetween(1, MAX_SLOTS),
    opensAt: Moment,
    /** Null: open until the slots run out. */
    closesAt: z.nullable(Moment),
    // No maximum: campaigns that already run may have a large reward, and may not lower it.
    referralReward: WholeAtLeast(0),
    /** The maximum number of rewarded referrals per participant. */
    referralsPaid: WholeAtLeast(0),
  }),
  /** How points become a payout; may be omitted until the campaign is paid. */
  payout: z.optional(
    z.strictObject({
      /** What a point is worth: PF and referral points in whole tokens, PLS points in whole coins. */
      perPoint: z.strictObject({ pf: Decimal, pls: Decimal, referral: Decimal }),
      /** Smaller amounts are not paid. `pf` is in whole tokens, `pls` in whole coins. */
      minimum: z.strictObject({ pf: Decimal, pls: Decimal }),
      /** For participants who share a wallet: pay it the sum, or refuse to freeze the allocation. */
      duplicateWallets: z.enum(['merge', 'refuse']),
    }),
  ),
  /** Colors, logo and mascot. Whatever it leaves out is the product's own. */
  look: z.optional(Look),
  texts: z.strictObject({
    tagline: Words,
    hero: Words,
    /** What the token aims for, such as a target price. */
    mission: Words,
    /** What the community hopes the token will be worth. */
    wish: Words,
    /** The risk notice, shown below the wish, in the footer and elsewhere. */
    risk: Words,
    about: Words,
    /** The token's promises, such as zero taxes, burned liquidity and a renounced contract. */
    features: z.array(Feature),
    tokenomics: Words,
    facts: z.array(Statement),
    howToBuy: Words,
    roadmap: Words,
    airdrop: Words,
    airdropRules: z.array(Words),
  }),
  /** The operator and legal texts, in addition to what the pages say about the product itself. */
  smallPrint: z.strictObject({
    operator: Words,
    /** The address for questions and requests about personal data. */
    contact: Mailbox,
    /** When any of these texts last changed. */
    updatedOn: CalendarDay,
    /** Retention of accounts, claims and points; completes "Kept …". */
    keptUntil: Words,
    /** Retention of the web server's log, which contains IP addresses; completes "Kept …". */
    logsKept: Words,
    /** Additional paragraphs, shown below the product's own. */
    rules: z.array(Entry),
    privacy: z.array(Entry),
    terms: z.array(Entry),
  }),
  roadmap: z.array(
    z.strictObject({
      phase: Words,
      status: z.enum(['completed', 'in-progress', 'upcoming']),
      points: z.array(Words),
    }),
  ),
  /** The texts in other languages, by path. In the file itself, translations stand beside their text. */
  translations: z.optional(z.custom<Partial<Record<Locale, Readonly<Record<string, string>>>>>()),
})
export type CampaignFile = z.output<typeof CampaignFile>

/** A text in several languages; the default one replaces those that are missing. */
type Localized = { en: string } & { [Other in Locale]?: string }
/** Lets each text in T be given in every language; an enum stays as it is. */
type Authored<T> = T extends string
  ? string extends T
    ? T | Localized
    : T
  : T extends readonly (infer Member)[]
    ? Authored<Member>[]
    : T extends object
      ? { [Key in keyof T]: Authored<T[Key]> }
      : T

/** A campaign file as written: a text that people read is a string, or a string for each language. */
type AuthoredCampaign = Authored<Omit<CampaignFile, 'translations'>>

/** Types `campaign.config.ts`: in one language, it is a `CampaignFile`. Validation happens at start. */
export function defineCampaign(campaign: CampaignFile): CampaignFile
export function defineCampaign(campaign: AuthoredCampaign): AuthoredCampaign
export function defineCampaign(campaign: AuthoredCampaign): AuthoredCampaign {
  return campaign
}

export function linkFor(template: string, contract: string): string {
  return template.replaceAll('{contract}', contract)
}

/** The page of the exchange (DEX) on which a visitor swaps coins for the token. */
export const swapUrl = ({ links, token }: CampaignFile): string => linkFor(links.swap, token.contract)
