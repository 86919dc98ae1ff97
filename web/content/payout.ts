import type { Drift, LeftOutReason, PaymentStatus } from '#contract/payouts.ts'
import { formatInteger } from '#web/ui/format.ts'

const wallets = (count: number) => (count === 1 ? '1 wallet' : `${formatInteger(count)} wallets`)
const claims = (count: number) => (count === 1 ? '1 claim' : `${formatInteger(count)} claims`)
const people = (count: number) => (count === 1 ? '1 participant' : `${formatInteger(count)} participants`)

/** The parts of the dashboard. */
export const PARTS = { nav: 'Dashboard', claims: 'Claims', payout: 'Payout' } as const

/** Texts of the dashboard’s payout page. */
export const PAYOUT = {
  title: 'Payout',
  loading: 'Loading the payout',
  failed: 'The payout could not be loaded.',
  again: 'Try again',
  unset: 'The campaign file has no payout rates yet. Add them to freeze an allocation.',
  unsetLink: 'Back to the claims',
  plan: 'What would be frozen now',
  planLead:
    'Freezing fixes what each wallet of an approved claim gets. The frozen list gets a Merkle root in the journal, and can be exported and checked by anyone.',
  nothing: 'No claim is approved yet, so there is nothing to pay.',
  wallets: 'Approved claims',
  undecided: 'Waiting for a decision',
  points: 'Points',
  rate: 'Per point',
  amount: 'Amount',
  pointsOf: (symbol: string) => `${symbol} points`,
  referralPoints: 'Referral points',
  total: 'Total',
  least: (pf: string, pls: string) => `The least that is paid is ${pf} or ${pls}.`,
  merge: 'Participants who share a wallet get one row with the sum.',
  refuse: 'If participants share a wallet, nothing is frozen.',
  warnUndecided: (count: number) =>
    `${claims(count)} ${count === 1 ? 'waits' : 'wait'} for a decision. What is frozen now leaves them out.`,
  warnContracts: (count: number) =>
    `${wallets(count)} ${count === 1 ? 'is a contract' : 'are contracts'}, by the evidence. Some contracts cannot pass on what they receive.`,
  warnSharing: (count: number) =>
    `${people(count)} ${count === 1 ? 'shares' : 'share'} the wallet of another one.`,
  freeze: 'Freeze the allocation',
  freezeTitle: 'Freeze the allocation?',
  freezeLead: (count: number) =>
    `${wallets(count)} will be fixed with their amounts. It can be taken back until payments are recorded.`,
  freezeAnyway: (count: number) => `Leave out ${claims(count)} that ${count === 1 ? 'waits' : 'wait'}`,
  freezeNow: 'Freeze',
  cancel: 'Cancel',
  frozen: 'Frozen',
  frozenTitle: (number: number) => `Frozen allocation #${number}`,
  frozenBy: (who: string | null) => (who === null ? 'on the command line' : `by ${who}`),
  frozenUndecided: (count: number) =>
    `${claims(count)} waited for a decision and ${count === 1 ? 'is' : 'are'} not in it.`,
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
  check: 'The public check of this allocation',
  leftOut: 'Left out',
  leftOutReason: 'Reason',
  leftOutEntries: 'Who is left out',
  count: 'Count',
  leftOutReasons: {
    no_approved_claim: 'Points without an approved claim',
    below_minimum: 'Below the minimum',
    unusable_wallet: 'Wallet that cannot be paid',
    nothing_due: 'Nothing due',
  } satisfies Record<LeftOutReason, string>,
  drift: 'Changed since the freeze',
  driftLead: 'The frozen allocation stays as it is. Look at these before you pay, or take the freeze back.',
  noDrift: 'Every row still agrees with the ledger.',
  drifts: {
    undone: 'Approval undone, still in the allocation',
    changed: 'Points changed, frozen ones are paid',
    added: 'Approved later, not in the allocation',
  } satisfies Record<Drift, string>,
  driftPoints: (frozen: number, now: number) => `${formatInteger(frozen)} → ${formatInteger(now)} points`,
  reconcile: 'Payments',
  reconcileLead:
    'After paying, read the transfers of the payer from the chain. A payment counts when 64 blocks follow it; reading again changes nothing.',
  coinHint: (coin: string, wrapped: string) =>
    `${coin} itself leaves no logs. It counts when it was paid as ${wrapped}, or by transactions that you name here.`,
  payer: 'Payer',
  payerHint: 'The account, Safe or distributor contract that the transfers come from.',
  fromBlock: 'From block (optional)',
  fromBlockHint: 'Otherwise the first block after the freeze, or where the last run ended.',
  transactions: 'Transactions (optional)',
  readPayments: 'Read payments',
  payers: (payer: string, from: number, to: number) =>
    `${payer}: blocks ${formatInteger(from)} to ${formatInteger(to)}`,
  received: 'Received',
  statuses: {
    paid: 'Paid',
    short: 'Short',
    over: 'Over',
    missing: 'Missing',
    unreadable: 'Not readable',
    nothing_due: 'Nothing due',
  } satisfies Record<PaymentStatus, string>,
  lists: {
    all: 'All rows',
    missing: 'Missing',
    short: 'Short',
    over: 'Over',
    paid: 'Paid',
    contracts: 'Contracts',
  },
  rows: 'Rows of the allocation',
  noRows: 'No rows here.',
  more: 'Show more',
  wallet: 'Wallet',
  participants: 'Participants',
  due: 'Due',
  state: 'State',
  notRead: 'Not read yet',
  isContract: 'Contract',
  thaw: 'Take the freeze back',
  thawTitle: 'Take the freeze back?',
  thawLead:
    'Packs that were exported are then no longer those of this campaign. The journal keeps this freeze and your reason.',
  thawReason: 'Reason',
  thawNow: 'Take it back',
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
  interrupted: 'The last run was interrupted. Nothing is left half-done; start it again.',
  notDone: 'That did not work.',
} as const
