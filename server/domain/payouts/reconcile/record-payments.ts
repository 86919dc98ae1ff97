import { sql } from 'kysely'
import type { Asset } from '#contract/allocation.ts'
import { toWholeUnits } from '#contract/whole-units.ts'
import type { Block } from '#contract/token-proofs/proof.ts'
import { mailJob } from '#server/domain/mail/send-later.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { toChecksum } from '#server/platform/eip55.ts'
import { enqueueSql } from '#server/platform/jobs/jobs.ts'
import { type LiveFreeze, refuseIfThawed } from '../live-freeze.ts'
import { transactionLink } from '../own-payout.ts'
import { receivedOf } from '../payment-status.ts'
import { lockPayments } from '../thaw.ts'
import type { Transfer } from './transfers.ts'

type PaymentBatch = {
  live: LiveFreeze
  payer: string
  transfers: readonly Transfer[]
  /** The blocks that this run has read, with the hash of the last one. */
  scanned?: { from: number; last: Block } | undefined
}

/**
 * In one transaction, records the transfers to wallets of the allocation and how far the payer has been read,
 * and queues emails about the amounts that they complete. Recording a transfer again changes nothing.
 * @returns how many payments are new.
 * @throws refusal `payout_not_frozen` if the freeze was thawed meanwhile.
 */
export function recordPayments(db: Database, batch: PaymentBatch): Promise<number> {
  const { live, payer, transfers, scanned } = batch
  return inTransaction(db, async (tx) => {
    await lockPayments(tx, live.terms.campaign.id)
    await refuseIfThawed(tx, live)
    const recorded = transfers.length > 0 ? await insertPayments(tx, live.id, payer, transfers) : []
    if (scanned) await saveScan(tx, { freezeId: live.id, payer, ...scanned })
    await mailCompleteAmounts(tx, live, recorded)
    return recorded.length
  })
}

type NewPayment = { position: number; asset: Asset; transaction: string }

/** Uses the index `payout_rows_freeze_id_wallet_key`. */
async function insertPayments(
  tx: Tx,
  freezeId: string,
  payer: string,
  transfers: readonly Transfer[],
): Promise<NewPayment[]> {
  const column = <T>(valueOf: (transfer: Transfer) => T) => transfers.map(valueOf)
  const { rows } = await sql<NewPayment>`
    insert into payout_payments (freeze_id, transaction, log_index, position, asset, amount, payer, block)
    select r.freeze_id, decode(t.transaction, 'hex'), t.log_index, r.position, t.asset, t.amount, ${payer}, t.block
    from unnest(${column(({ transaction }) => transaction.slice(2))}::text[], ${column(({ logIndex }) => logIndex)}::integer[],
      ${column(({ asset }) => asset)}::text[], ${column(({ amount }) => String(amount))}::numeric[],
      ${column(({ block }) => block)}::bigint[], ${column(({ to }) => toChecksum(to))}::text[])
      as t (transaction, log_index, asset, amount, block, wallet)
    join payout_rows r on r.freeze_id = ${freezeId} and r.wallet = t.wallet
    where t.amount > 0
    on conflict do nothing
    returning position, asset, '0x' || encode(transaction, 'hex') as transaction`.execute(tx)
  return rows
}

type ScannedRange = { freezeId: string; payer: string; from: number; last: Block }

/**
 * Ranges that touch become one. If there is a gap between two, only the later one is kept: if the gap counted
 * as read, payments in it would seem to be missing, and might be made again.
 */
async function saveScan(tx: Tx, { freezeId, payer, from, last }: ScannedRange): Promise<void> {
  await sql`
    insert into payout_scans as s (freeze_id, payer, from_block, to_block, block_hash)
    values (${freezeId}, ${payer}, ${from}, ${last.number}, ${Buffer.from(last.hash.slice(2), 'hex')})
    on conflict (freeze_id, payer) do update set
      from_block = case when excluded.from_block > s.to_block + 1 then excluded.from_block
        when excluded.to_block + 1 < s.from_block then s.from_block
        else least(s.from_block, excluded.from_block) end,
      block_hash = case when excluded.to_block >= s.to_block then excluded.block_hash else s.block_hash end,
      to_block = greatest(s.to_block, excluded.to_block), scanned_at = now()`.execute(tx)
}

type CompleteAmount = {
  position: number
  username: string
  email: string
  wallet: string
  asset: Asset
  due: string
}

/** Queues emails about amounts that are complete now. A row of `payout_notices` prevents a second email. */
async function mailCompleteAmounts(tx: Tx, live: LiveFreeze, recorded: readonly NewPayment[]): Promise<void> {
  if (recorded.length === 0) return
  const transactions = new Map(
    recorded.map(({ position, asset, transaction }) => [`${position} ${asset}`, transaction]),
  )
  const { rows } = await insertNotices(live.id, recorded).execute(tx)
  const { token, coin, chain, campaign } = live.terms
  const jobs = rows.map(({ username, email, wallet, asset, due, position }) => {
    const unit = asset === 'pf' ? token : coin
    const link = transactionLink(chain.explorerUrl, transactions.get(`${position} ${asset}`) ?? '')
    const amount = `${toWholeUnits(BigInt(due), unit.decimals)} ${unit.symbol}`
    const values = { username, wallet, amount, link, campaignId: campaign.id, campaign: campaign.name }
    return mailJob({ template: 'payout-paid', to: email, values })
  })
  for (let from = 0; from < jobs.length; from += MAILS_PER_STATEMENT)
    await enqueueSql(jobs.slice(from, from + MAILS_PER_STATEMENT)).execute(tx)
}

const MAILS_PER_STATEMENT = 1_000

/**
 * Inserts a notice of each amount that the recorded payments complete, and returns its participants, except
 * deleted accounts. Uses the indexes `payout_payments_by_row` and `payout_shares_by_row`.
 */
const insertNotices = (freezeId: string, recorded: readonly NewPayment[]) => sql<CompleteAmount>`
  with noted as (
    insert into payout_notices (freeze_id, position, asset)
    select r.freeze_id, r.position, t.asset
    from (select distinct * from unnest(${recorded.map(({ position }) => position)}::integer[],
      ${recorded.map(({ asset }) => asset)}::text[]) as t (position, asset)) t
    join payout_rows r on r.freeze_id = ${freezeId} and r.position = t.position
    cross join lateral (select case t.asset when 'pf' then r.pf else r.pls end as due) d
    where d.due > 0 and d.due <= ${receivedOf(sql`t.asset`)}
    on conflict do nothing
    returning position, asset)
  select n.position, n.asset, r.wallet, (case n.asset when 'pf' then r.pf else r.pls end)::text as due, u.username, u.email
  from noted n
  join payout_rows r on r.freeze_id = ${freezeId} and r.position = n.position
  join payout_shares s on s.freeze_id = ${freezeId} and s.position = n.position
  join users u on u.id = s.user_id and u.deleted_at is null
  order by n.position, n.asset, u.id`
