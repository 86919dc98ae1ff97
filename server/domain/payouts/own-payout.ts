import { sql } from 'kysely'
import type { Asset, ownPayout } from '#contract/allocation.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type LiveFreeze, readLiveFreeze } from './live-freeze.ts'
import { isCoinReadable, statusesOf } from './payment-status.ts'

type OwnPayout = ReplyOf<typeof ownPayout>['data']

/** A participant's row of the frozen allocation, with its payments; null if there is none. */
export async function readOwnPayout(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  userId: string,
): Promise<OwnPayout> {
  const live = await readLiveFreeze(db, campaign.id)
  if (!live) return null
  const row = await readRow(db, live.id, userId)
  if (!row) return null
  const payments = await readPayments(db, live, row.position)
  const amounts = { pf: row.pf, pls: row.pls }
  const received = { pf: 0n, pls: 0n }
  for (const { asset, amount } of payments) received[asset] += BigInt(amount)
  return {
    wallet: row.wallet,
    amounts,
    status: statusesOf(amounts, received, await isCoinReadable(db, live.id)),
    // Until transfers have been read, a missing payment may just not have been looked for.
    isRead: payments.length > 0 || (await hasScans(db, live.id)),
    token: live.terms.token,
    coin: live.terms.coin,
    payments,
  }
}

/** The wallet to which the frozen allocation pays a participant; null if it does not pay them. */
export async function readFrozenWallet(
  db: Database,
  campaignId: string,
  userId: string,
): Promise<string | null> {
  const live = await readLiveFreeze(db, campaignId)
  const row = live && (await readRow(db, live.id, userId))
  return row?.wallet ?? null
}

/**
 * Whether a participant has an approved claim that a later freeze may pay: no freeze pays it yet, and its
 * campaign is the current one or an archived one with rates. Uses the index `claims_by_user`.
 */
export async function hasUnfrozenClaim(db: Database, currentId: string, userId: string): Promise<boolean> {
  const approved = await db
    .selectFrom('claims as c')
    .innerJoin('campaigns as a', 'a.id', 'c.campaign_id')
    .select('c.campaign_id')
    .where('c.user_id', '=', userId)
    .where('c.status', '=', 'approved')
    .where(sql<boolean>`(a.id = ${currentId} or (a.archived_at is not null and a.settings ? 'payout'))`)
    .execute()
  for (const { campaign_id } of approved)
    if ((await readFrozenWallet(db, campaign_id, userId)) === null) return true
  return false
}

/** Uses the index `payout_shares_pkey`. */
const readRow = (db: Database, freezeId: string, userId: string) =>
  db
    .selectFrom('payout_shares as s')
    .innerJoin('payout_rows as r', (join) =>
      join.onRef('r.freeze_id', '=', 's.freeze_id').onRef('r.position', '=', 's.position'),
    )
    .select(['r.wallet', 'r.position', sql<string>`r.pf::text`.as('pf'), sql<string>`r.pls::text`.as('pls')])
    .where('s.freeze_id', '=', freezeId)
    .where('s.user_id', '=', userId)
    .executeTakeFirst()

/** Oldest first. */
async function readPayments(db: Database, { id, terms }: LiveFreeze, position: number) {
  const rows = await db
    .selectFrom('payout_payments')
    .select(['asset', sql<string>`amount::text`.as('amount')])
    .select(sql<string>`'0x' || encode(transaction, 'hex')`.as('transaction'))
    .where('freeze_id', '=', id)
    .where('position', '=', position)
    .orderBy('block')
    .orderBy('log_index')
    .execute()
  return rows.map((row) => ({
    ...row,
    asset: row.asset as Asset,
    link: transactionLink(terms.chain.explorerUrl, row.transaction),
  }))
}

export const transactionLink = (explorerUrl: string, transaction: string) =>
  `${explorerUrl.replace(/\/$/, '')}/tx/${transaction}`

/** Whether any payer's transfers have been read for a freeze. Uses the index `payout_scans_pkey`. */
async function hasScans(db: Database, freezeId: string): Promise<boolean> {
  const scan = await db
    .selectFrom('payout_scans')
    .select('payer')
    .where('freeze_id', '=', freezeId)
    .limit(1)
    .executeTakeFirst()
  return scan !== undefined
}
