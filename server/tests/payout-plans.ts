import { readDrift } from '../domain/payouts/drift.ts'
import { readRows } from '../domain/payouts/export.ts'
import { listLeftOut, listRows } from '../domain/payouts/list-rows.ts'
import { requireFreeze } from '../domain/payouts/live-freeze.ts'
import { readOwnPayout } from '../domain/payouts/own-payout.ts'
import { readAllotment } from '../domain/payouts/read-allocation.ts'
import { recordPayments } from '../domain/payouts/reconcile/record-payments.ts'
import { consumeMessage, purgeMessages } from '../domain/wallets/messages.ts'
import { saveWallet } from '../domain/wallets/proven-wallet.ts'
import { FREEZE, idOf, ROWS, walletOf } from '../testing/builders/large-campaign.ts'
import type { PlanCases, Run } from '../testing/checks/plans.ts'

const payoutPage =
  (list: 'all' | 'contracts' | 'paid'): Run =>
  (deps) =>
    listRows(deps, { list, asset: 'pf', after: 9_000, limit: 50 })
const newTransfer = (number: number) => ({
  transaction: `0x${String(number).padStart(64, '0')}`,
  logIndex: 0,
  block: 1,
  asset: 'pf' as const,
  to: walletOf(number),
  amount: 5n,
})

/** What runs, the indexes that it must use, and how many rows it may read from one table, by default 200. */
export const PAYOUT_PLANS: PlanCases = {
  'looking a wallet up with its proof': [
    ({ publicReads, campaign }) => readAllotment({ publicReads, campaign }, walletOf(12_345)),
    ['payout_rows_freeze_id_wallet_key', 'payout_chunks_pkey'],
  ],
  'the payout of a participant': [
    (deps) => readOwnPayout(deps, idOf(12_345)),
    ['payout_shares_pkey', 'payout_rows_pkey', 'payout_payments_by_row'],
  ],
  'a page of the frozen rows': [
    payoutPage('all'),
    ['payout_rows_pkey', 'payout_shares_by_row', 'payout_payments_by_row', 'users_pkey'],
  ],
  'a page of the contracts of a payout': [payoutPage('contracts'), ['payout_rows_contracts']],
  'a page of the paid rows': [payoutPage('paid'), ['payout_rows_pkey', 'payout_payments_by_row']],
  'a page of what a payout leaves out': [
    (deps) => listLeftOut(deps, { after: 10_000, limit: 50 }),
    ['payout_left_out_pkey', 'claims_by_wallet_prefix', 'payout_shares_pkey'],
  ],
  // Reads all shares and everyone who is left out. They are too few here for an index.
  'who has drifted since the freeze': [
    async ({ db, campaign }) => readDrift(db, await requireFreeze({ db, campaign })),
    ['ledger_pkey', 'users_suspended', 'payout_rows_pkey', 'standings_pkey', 'claims_by_user', 'users_pkey'],
    ROWS / 5,
  ],
  'exporting the frozen rows': [async ({ db }) => readRows(db, FREEZE).next(), ['payout_rows_pkey'], 5_000],
  'recording payments': [
    async ({ db, campaign }) =>
      recordPayments(db, {
        live: await requireFreeze({ db, campaign }),
        payer: walletOf(1),
        transfers: [17, 18].map(newTransfer),
      }),
    [
      'payout_rows_freeze_id_wallet_key',
      'payout_payments_by_row',
      'payout_rows_pkey',
      'payout_shares_by_row',
      'users_pkey',
    ],
  ],
  'proving a wallet': [
    (deps) =>
      saveWallet(deps, { userId: idOf(19_999), network: '' }, { address: walletOf(90_001), kind: 'account' }),
    ['proven_wallets_pkey', 'claims_wallet'],
  ],
  'using up a message to sign': [
    (deps) => consumeMessage(deps, idOf(12_345), '12345'.padStart(32, '0')),
    ['wallet_messages_pkey'],
  ],
  'deleting expired messages to sign': [({ db }) => purgeMessages(db), ['wallet_messages_by_expiry']],
}
