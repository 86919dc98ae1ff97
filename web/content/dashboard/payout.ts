import type { Drift } from '#contract/allocation.ts'
import type { LeftOutReason, PaymentStatus } from '#contract/dashboard/payouts.ts'
import { formatInteger } from '#web/ui/format.ts'

const wallets = (count: number) => (count === 1 ? '1 wallet' : `${formatInteger(count)} wallets`)
const claims = (count: number) => (count === 1 ? '1 claim' : `${formatInteger(count)} claims`)
const people = (count: number) => (count === 1 ? '1 participant' : `${formatInteger(count)} participants`)

/** Texts of the dashboard’s payout page. */
export const PAYOUT = {
  title: 'Payout',
  loading: 'Loading the payout',
  failed: 'We couldn’t load the payout.',
  again: 'Try again',
  campaign: 'Campaign',
  campaignCurrent: (name: string) => `${name} (current)`,
  campaignArchived: (name: string) => `${name} (archived)`,
  unsetArchived: 'This campaign was archived without payout rates, so nothing can be frozen.',
  unset: 'The campaign file has no payout rates yet. Add them to freeze an allocation.',
  unsetLink: 'Back to the claims',
  plan: 'What would be frozen now',
  planLead:
    'Freezing fixes what each wallet with an approved claim gets, and records a Merkle root in the journal. You can then export the list, and anyone can check it.',
  nothing: 'No claim is approved yet, so there is nothing to pay.',
  wallets: 'Approved claims',
  undecided: 'Waiting for a decision',
  points: 'Points',
  rate: 'Per point',
  amount: 'Amount',
  pointsOf: (symbol: string) => `${symbol} points`,
  referralPoints: 'Referral points',
  total: 'Total',
  least: (pf: string, pls: string) => `Amounts below ${pf} or ${pls} are not paid.`,
  merge: 'Participants who share a wallet get one row with their total.',
  refuse: 'You can’t freeze while participants share a wallet.',
  warnPlaceholder: (contract: string) =>
    `The token contract ${contract} is still a placeholder: there is no token at this address. Set the real contract first, because the lists and the Merkle root are made for this one.`,
  warnPlaceholderFrozen:
    'This was frozen with a placeholder for the token contract. Don’t pay from it: undo the freeze, set the real contract, and freeze again.',
  warnContractChanged: (frozen: string, now: string) =>
    `This was frozen for the token contract ${frozen}, but the campaign now names ${now}. Check which one is right before you pay.`,
  warnUndecided: (count: number) =>
    `${claims(count)} ${count === 1 ? 'is' : 'are'} waiting for a decision. If you freeze now, ${count === 1 ? 'it is' : 'they are'} left out.`,
  warnContracts: (count: number) =>
    `According to the checks, ${wallets(count)} ${count === 1 ? 'is a contract' : 'are contracts'}. Some contracts can’t pass on what they receive.`,
  warnSharing: (count: number) =>
    `${people(count)} ${count === 1 ? 'shares' : 'share'} a wallet with another participant.`,
  freeze: 'Freeze the allocation',
  freezeTitle: 'Freeze the allocation?',
  freezeLead: (count: number) =>
    `This fixes the amounts of ${wallets(count)}. You can undo it until payments are recorded.`,
  freezeAnyway: (count: number) => `Leave out ${claims(count)} waiting for a decision`,
  freezePlaceholder: 'Freeze with the placeholder contract anyway, for a rehearsal',
  freezeNow: 'Freeze',
  cancel: 'Cancel',
  frozen: 'Frozen',
  frozenTitle: (number: number) => `Frozen allocation #${number}`,
  frozenBy: (who: string | null) => (who === null ? 'on the command line' : `by ${who}`),
  frozenUndecided: (count: number) =>
    `${claims(count)} ${count === 1 ? 'was' : 'were'} waiting for a decision and ${count === 1 ? 'is' : 'are'} not included.`,
  root: 'Merkle root',
  copy: 'Copy',
  copied: 'Copied!',
  recipients: 'Wallets',
  contracts: 'Contracts',
  download: 'Download the pack',
  downloading: 'Preparing the pack',
  downloadHint:
    'Lists for Safe, Sablier and disperse, Merkle trees and claims, with checksums, in one ZIP archive.',
  downloadFailed: 'The download failed. Please try again.',
  check: 'Open the public check of this allocation',
  leftOut: 'Left out',
  leftOutReason: 'Reason',
  leftOutEntries: 'Who is left out',
  count: 'Count',
  leftOutReasons: {
    no_approved_claim: 'Points without an approved claim',
    below_minimum: 'Below the minimum',
    unusable_wallet: 'Wallet that can’t be paid',
    nothing_due: 'Nothing due',
    account_banned: 'Banned account',
    account_deleted: 'Deleted account',
  } satisfies Record<LeftOutReason, string>,
  drift: 'Changed since the freeze',
  driftLead: 'The frozen allocation does not change. Review these before you pay, or undo the freeze.',
  noDrift: 'Every row still matches the ledger.',
  drifts: {
    undone: 'Approval undone, still in the allocation',
    changed: 'Points changed; the frozen ones are paid',
    added: 'Approved later, not in the allocation',
  } satisfies Record<Drift, string>,
  driftPoints: (frozen: number, now: number) => `${formatInteger(frozen)} → ${formatInteger(now)} points`,
  reconcile: 'Payments',
  reconcileLead:
    'After you pay, read the payer’s transfers from the chain. A payment counts once 64 blocks have followed it. Read as often as you like: nothing counts twice.',
  coinHint: (coin: string, wrapped: string) =>
    `Transfers of ${coin} itself leave no logs. They count if you paid in ${wrapped}, or if you list the transactions here.`,
  payer: 'Payer',
  payerHint: 'The account, Safe or distributor contract that the transfers come from.',
  fromBlock: 'From block (optional)',
  fromBlockHint: 'If empty, starts where the last run ended, or at the first block after the freeze.',
  transactions: 'Transactions (optional)',
  readPayments: 'Read payments',
  payers: (payer: string, from: number, to: number) =>
    `${payer}: blocks ${formatInteger(from)} to ${formatInteger(to)}`,
  received: 'Received',
  statuses: {
    paid: 'Paid',
    short: 'Partly paid',
    over: 'Overpaid',
    missing: 'Missing',
    unreadable: 'Not readable',
    nothing_due: 'Nothing due',
  } satisfies Record<PaymentStatus, string>,
  lists: {
    all: 'All rows',
    missing: 'Missing',
    short: 'Partly paid',
    over: 'Overpaid',
    paid: 'Paid',
    contracts: 'Contracts',
  },
  rows: 'Rows of the allocation',
  noRows: 'No rows to show.',
  more: 'Show more',
  wallet: 'Wallet',
  participants: 'Participants',
  due: 'Due',
  state: 'State',
  notRead: 'Not read yet',
  isContract: 'Contract',
  thaw: 'Undo the freeze',
  thawTitle: 'Undo the freeze?',
  thawLead:
    'Packs that you have already exported will no longer be valid. The journal keeps this freeze and your reason.',
  thawReason: 'Reason',
  thawNow: 'Undo it',
  thawed: 'Earlier freezes',
  run: { freeze: 'Freezing', export: 'Preparing the pack', reconcile: 'Reading payments' },
  steps: {
    start: 'Starting',
    rows: 'Reading points',
    tree: 'Building the tree',
    save: 'Saving the tree',
    files: 'Writing files',
    blocks: 'Reading blocks',
  } as Readonly<Record<string, string>>,
  interrupted: 'The last run was interrupted and left nothing half-done. Start it again.',
  notDone: 'That didn’t work. Please try again.',
} as const
