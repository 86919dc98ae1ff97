import * as z from 'zod/mini'
import { OfCampaign } from './protocol/parameters.ts'
import { endpoint } from './protocol/endpoint.ts'

/** An amount in the smallest units of its asset: a decimal integer of at most 78 digits (`uint256`). */
const BaseUnits = z.string().check(z.regex(/^(0|[1-9][0-9]{0,77})$/))
export const Bytes32 = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))

/** The two assets of a payout: the campaign's token and the chain's native coin. */
export const ASSETS = ['pf', 'pls'] as const
export const Asset = z.enum(ASSETS)
export type Asset = z.output<typeof Asset>

export const Amounts = z.object({ pf: BaseUnits, pls: BaseUnits })
/** What a wallet gets, or what many get together, in the smallest units. */
export type Amounts = z.output<typeof Amounts>

export const Unit = z.object({ symbol: z.string(), decimals: z.number() })

/** The leaves of an allocation's public tree, OpenZeppelin's `standard-v1`: wallet, PF, PLS. */
export const LEAF_ENCODING = ['address', 'uint256', 'uint256'] as const

/**
 * How a row of a frozen allocation is out of date: its approval was `undone`, its points `changed`, or its
 * participant `banned`; or it is missing, because of a later approval (`added`) or a lifted ban (`unbanned`).
 */
export const Drift = z.enum(['undone', 'changed', 'added', 'banned', 'unbanned'])
export type Drift = z.output<typeof Drift>

/** A frozen allocation (what wallets get, fixed once) as anyone may see it: nothing about people. */
export const AllocationSummary = z.object({
  root: Bytes32,
  recipients: z.number(),
  totals: Amounts,
  /** ISO time. */
  frozenAt: z.string(),
  chainId: z.number(),
  /** Symbols and decimals as they were when the allocation was frozen. */
  token: z.extend(Unit, { contract: z.string() }),
  coin: Unit,
  /** How many participants' rows are out of date, by kind of change; at most a minute old. */
  drift: z.object({
    undone: z.number(),
    changed: z.number(),
    added: z.number(),
    banned: z.number(),
    unbanned: z.number(),
  }),
})
export type AllocationSummary = z.output<typeof AllocationSummary>

export const allocationSummary = endpoint('GET /allocation', {
  access: 'public',
  cache: 'public',
  summary:
    'The frozen allocation of the campaign, or of the one that `campaign` names: Merkle root, totals, number of wallets, and how many participants have changed since; `data` is null before the freeze.',
  query: OfCampaign,
  reply: z.object({ data: z.nullable(AllocationSummary) }),
})

/** What a wallet gets, with the proof that the allocation with this root contains it. */
export const Allotment = z.object({
  /** With its EIP-55 checksum. */
  wallet: z.string(),
  amounts: Amounts,
  /** keccak256(keccak256(abi.encode(wallet, pf, pls))). */
  leaf: Bytes32,
  /** The siblings on the path to the root, the leaf's first. */
  proof: z.array(Bytes32),
  root: Bytes32,
})
export type Allotment = z.output<typeof Allotment>

export const allocation = endpoint('GET /allocation/:wallet', {
  access: 'public',
  cache: 'public',
  summary:
    'What a wallet gets from the frozen allocation, with its Merkle proof. The address may be in any case; a mixed-case one needs a valid checksum.',
  params: z.strictObject({ wallet: z.string().check(z.maxLength(100, 'wallet_format')) }),
  query: OfCampaign,
  reply: z.object({ data: Allotment }),
  refusals: ['allocation_not_found'],
})

/** How much of an amount was paid. `unreadable`: no payment is known, but one in coins may leave no log. */
export const PaymentStatus = z.enum(['nothing_due', 'paid', 'short', 'over', 'missing', 'unreadable'])
export type PaymentStatus = z.output<typeof PaymentStatus>

export const ownPayout = endpoint('GET /payout/own', {
  access: 'participant',
  summary:
    "What the caller's wallet gets from the frozen allocation, with the payments; null without a share.",
  reply: z.object({
    data: z.nullable(
      z.object({
        wallet: z.string(),
        amounts: Amounts,
        status: z.object({ pf: PaymentStatus, pls: PaymentStatus }),
        /** Whether payments have been read from the chain since the freeze. */
        isRead: z.boolean(),
        token: Unit,
        coin: Unit,
        payments: z.array(
          z.object({
            asset: Asset,
            amount: BaseUnits,
            transaction: Bytes32,
            link: z.string(),
          }),
        ),
      }),
    ),
  }),
})
