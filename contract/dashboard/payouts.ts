import * as z from 'zod/mini'
import { AllocationSummary, Amounts, Asset, Bytes32, Drift, PaymentStatus, Unit } from '../allocation.ts'
import { MessageReply } from '../entities.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { OfCampaign, wholeNumber } from '../protocol/parameters.ts'
import { plainText } from '../protocol/fields.ts'

const Points = z.object({ pf: z.number(), pls: z.number(), referral: z.number() })

/** Why something is not paid: see docs/decisions/036. */
export const LeftOutReason = z.enum([
  'no_approved_claim',
  'below_minimum',
  'unusable_wallet',
  'nothing_due',
  'account_banned',
  'account_deleted',
])
export type LeftOutReason = z.output<typeof LeftOutReason>

/** What would be frozen now. */
const Plan = z.object({
  approved: z.number(),
  undecided: z.number(),
  points: Points,
  /** At the rates of the campaign file, before minimums. */
  amounts: Amounts,
  /** Claims whose wallet is a contract, according to the evidence. */
  contracts: z.number(),
  /** Participants who share a wallet with an earlier participant: two with the same wallet count as 1. */
  sharing: z.number(),
})

const Rates = z.object({
  perPoint: z.object({ pf: z.string(), pls: z.string(), referral: z.string() }),
  minimum: z.object({ pf: z.string(), pls: z.string() }),
  duplicateWallets: z.enum(['merge', 'refuse']),
})

const FrozenAllocation = z.extend(AllocationSummary, {
  /** From 1; a freeze after a thaw has the next number. */
  number: z.number(),
  /** Null for the operator on the command line. */
  frozenBy: z.nullable(z.string()),
  rates: Rates,
  undecided: z.number(),
  /** Rows whose wallet is a contract. */
  contracts: z.number(),
  /** Participants who share a row with an earlier participant: two in the same row count as 1. */
  sharing: z.number(),
  leftOut: z.array(z.object({ reason: LeftOutReason, count: z.number(), amounts: Amounts })),
  /** Null until a payer's transfers have been read. */
  reconciled: z.nullable(
    z.object({
      payers: z.array(z.object({ payer: z.string(), fromBlock: z.number(), toBlock: z.number() })),
      received: Amounts,
      counts: z.object({
        pf: z.partialRecord(PaymentStatus, z.number()),
        pls: z.partialRecord(PaymentStatus, z.number()),
      }),
    }),
  ),
})

/** The freeze, export or reconciliation in progress, or the last one. */
const Run = z.object({
  task: z.enum(['freeze', 'export', 'reconcile']),
  state: z.enum(['running', 'done', 'failed', 'interrupted']),
  step: z.string(),
  done: z.number(),
  /** Null while unknown. */
  total: z.nullable(z.number()),
  startedAt: z.string(),
  message: z.nullable(z.string()),
})

export const Payout = z.object({
  campaign: z.object({ id: z.string(), isCurrent: z.boolean() }),
  /** `isPlaceholder`: the campaign file says that the address is made up. */
  token: z.extend(Unit, { contract: z.string(), isPlaceholder: z.boolean() }),
  coin: Unit,
  /** The rates in the campaign file; null if it has none yet. */
  rates: z.nullable(Rates),
  /** Null while an allocation is frozen. */
  plan: z.nullable(Plan),
  frozen: z.nullable(FrozenAllocation),
  run: z.nullable(Run),
  /** Earlier freezes, newest first. */
  thawed: z.array(
    z.object({
      number: z.number(),
      root: Bytes32,
      frozenAt: z.string(),
      thawedAt: z.string(),
      reason: z.string(),
    }),
  ),
})
export type Payout = z.output<typeof Payout>

const PayoutReply = z.extend(MessageReply, { data: Payout })

export const payout = endpoint('GET /payout', {
  access: 'admin',
  summary: 'What would be paid, or the frozen allocation with its payment status, and the run in progress.',
  query: OfCampaign,
  reply: z.object({ data: Payout }),
  refusals: ['campaign_not_found'],
})

const Count = z
  .int('number_format')
  .check(z.minimum(0, 'number_range'), z.maximum(1_000_000_000, 'number_range'))

export const freezePayout = endpoint('POST /payout/freeze', {
  access: 'admin',
  summary:
    'Freeze the allocation: approved claims, their points in the ledger and the rates of the campaign file. Continues after the reply; `GET /payout` reports its progress.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  query: OfCampaign,
  body: z.strictObject({
    /** How many claims may still wait for a decision. They are left out. */
    undecided: z._default(Count, 0),
  }),
  reply: PayoutReply,
  refusals: [
    'campaign_not_found',
    'payout_not_set',
    'payout_busy',
    'payout_frozen',
    'terms_changed',
    'claims_undecided',
    'wallets_shared',
    'nothing_to_pay',
    'amounts_too_large',
    'ledger_differs',
  ],
})

export const payoutPack = endpoint('GET /payout/pack', {
  access: 'admin',
  summary:
    'The pack of the frozen allocation as a ZIP archive: lists and Merkle trees for the tools that pay, and a summary. Each export is recorded in the journal.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  query: OfCampaign,
  reply: z.unknown(),
  file: { name: 'payout.zip', type: 'application/zip' },
  refusals: ['campaign_not_found', 'payout_not_frozen', 'payout_busy'],
})

export const MAX_THAW_REASON_LENGTH = 500

export const thawPayout = endpoint('POST /payout/thaw', {
  access: 'admin',
  summary: 'Undo a freeze, with a reason for the journal. Refused once payments for it are recorded.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  query: OfCampaign,
  body: z.strictObject({ reason: plainText(1, MAX_THAW_REASON_LENGTH) }),
  reply: PayoutReply,
  refusals: ['campaign_not_found', 'payout_not_frozen', 'payout_reconciled', 'payout_busy'],
})

const Address = z.string().check(z.trim(), z.maxLength(100, 'wallet_format'))

export const reconcilePayout = endpoint('POST /payout/reconcile', {
  access: 'admin',
  summary:
    'Read what a payer has transferred to the wallets of the frozen allocation. Continues after the reply; can be repeated.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  query: OfCampaign,
  body: z.strictObject({
    /** The account, Safe or distributor contract that the transfers come from. */
    payer: Address,
    /** The first block to read; by default the first after the freeze, or where the last run ended. */
    fromBlock: z.optional(Count),
    /** Hashes of transactions that paid in the coin, because such payments leave no logs. */
    transactions: z._default(
      z
        .array(z.string().check(z.trim(), z.toLowerCase(), z.regex(/^0x[0-9a-f]{64}$/, 'transaction_format')))
        .check(z.maxLength(100, 'too_many')),
      [],
    ),
  }),
  reply: PayoutReply,
  refusals: ['campaign_not_found', 'payout_not_frozen', 'payout_busy', 'chain_unreadable', 'chain_changed'],
})

/** `next` is the cursor of the next page. */
const listOf = <Row extends z.core.$ZodType>(row: Row) =>
  z.object({ data: z.array(row), next: z.nullable(z.number()) })
const pageQuery = {
  ...OfCampaign.shape,
  /** `next` of the previous page. */
  after: z.optional(z.pipe(z.string().check(z.regex(/^[0-9]{1,9}$/, 'number_format')), z.transform(Number))),
  limit: wholeNumber(1, 100, 50),
}

export const PayoutEntry = z.object({
  wallet: z.string(),
  isContract: z.boolean(),
  usernames: z.array(z.string()),
  amounts: Amounts,
  received: Amounts,
  status: z.object({ pf: PaymentStatus, pls: PaymentStatus }),
})
export type PayoutEntry = z.output<typeof PayoutEntry>

export const payoutRows = endpoint('GET /payout/rows', {
  access: 'admin',
  summary:
    'Rows of the frozen allocation, by wallet; optionally only those with a given payment status, or only contracts.',
  query: z.strictObject({
    list: z._default(z.enum(['all', 'paid', 'short', 'over', 'missing', 'contracts']), 'all'),
    /** `list` selects rows by the payment status of this asset. */
    asset: z._default(Asset, 'pf'),
    ...pageQuery,
  }),
  reply: listOf(PayoutEntry),
  refusals: ['campaign_not_found', 'payout_not_frozen'],
})

export const LeftOutEntry = z.object({
  reason: LeftOutReason,
  /** Null without an approved claim. */
  wallet: z.nullable(z.string()),
  usernames: z.array(z.string()),
  amounts: Amounts,
})
export type LeftOutEntry = z.output<typeof LeftOutEntry>

export const payoutLeftOut = endpoint('GET /payout/left-out', {
  access: 'admin',
  summary: 'What the frozen allocation does not pay, and why.',
  query: z.strictObject(pageQuery),
  reply: listOf(LeftOutEntry),
  refusals: ['campaign_not_found', 'payout_not_frozen'],
})

export const DriftEntry = z.object({
  drift: Drift,
  username: z.string(),
  /** The frozen wallet, else the one in the current claim; null without either. */
  wallet: z.nullable(z.string()),
  frozen: Points,
  now: Points,
})
export type DriftEntry = z.output<typeof DriftEntry>

export const payoutDrift = endpoint('GET /payout/drift', {
  access: 'admin',
  summary: 'Participants whose claim, points or ban have changed since the freeze: at most a hundred.',
  query: OfCampaign,
  reply: z.object({ data: z.array(DriftEntry) }),
  refusals: ['campaign_not_found', 'payout_not_frozen'],
})
