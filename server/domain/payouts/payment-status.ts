import { type RawBuilder, sql } from 'kysely'
import type { Asset, PaymentStatus } from '#contract/allocation.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import type { LiveFreeze } from './live-freeze.ts'

/** In base units. @param canReadCoin false until a coin payment is recorded: coin transfers leave no logs. */
export function statusesOf(
  due: Record<Asset, string>,
  received: Record<Asset, string | bigint>,
  canReadCoin: boolean,
): Record<Asset, PaymentStatus> {
  return {
    pf: statusOf(BigInt(due.pf), BigInt(received.pf), true),
    pls: statusOf(BigInt(due.pls), BigInt(received.pls), canReadCoin),
  }
}

function statusOf(due: bigint, received: bigint, isReadable: boolean): PaymentStatus {
  if (due === 0n && received === 0n) return 'nothing_due'
  if (received === 0n) return isReadable ? 'missing' : 'unreadable'
  if (received < due) return 'short'
  return received > due ? 'over' : 'paid'
}

/** Whether any payment of the coin is recorded: unpaid amounts of it are then `missing`, not `unreadable`. */
export const isCoinReadable = (db: Database, freezeId: string) => hasPayments(db, freezeId, { asset: 'pls' })

/** Whether any payment matches the filter. Reads all payments of the freeze if none does. */
export async function hasPayments(
  db: Database | Tx,
  freezeId: string,
  filter: { asset: Asset } | { payer: string } | Record<string, never> = {},
): Promise<boolean> {
  const payment = await db
    .selectFrom('payout_payments')
    .select('position')
    .where('freeze_id', '=', freezeId)
    .where((stored) => stored.and(filter))
    .limit(1)
    .executeTakeFirst()
  return payment !== undefined
}

/** Subquery: what a row `r` has received of an asset. Uses the index `payout_payments_by_row`. */
export const receivedOf = (asset: Asset | RawBuilder<unknown>) => sql`(
  select coalesce(sum(p.amount), 0) from payout_payments p
  where p.freeze_id = r.freeze_id and p.position = r.position and p.asset = ${asset})`

/** Counts of wallets. `over` includes the `unexpected` ones, to which nothing of the asset is due. */
type CountRow = { asset: Asset; received: string } & Record<'paid' | 'short' | 'over' | 'unexpected', number>
export type PaymentCounts = {
  received: Record<Asset, bigint>
  counts: Record<Asset, Partial<Record<PaymentStatus, number>>>
}

/** Uses the indexes `payout_payments_by_row` and `payout_rows_pkey`. */
export async function countPayments(db: Database, live: LiveFreeze): Promise<PaymentCounts> {
  const { rows } = await sql<CountRow>`
    select asset, sum(received)::text as received, count(*) filter (where received = due) as paid,
      count(*) filter (where received < due) as short, count(*) filter (where received > due) as over,
      count(*) filter (where due = 0) as unexpected
    from (
      select p.asset, p.received, case p.asset when 'pf' then r.pf else r.pls end as due
      from (select position, asset, sum(amount) as received from payout_payments
        where freeze_id = ${live.id} group by position, asset) p
      join payout_rows r on r.freeze_id = ${live.id} and r.position = p.position) c
    group by asset order by asset`.execute(db)
  const canReadCoin = rows.some(({ asset }) => asset === 'pls')
  const countsOf = (asset: Asset) => {
    const row = rows.find((each) => each.asset === asset)
    const { received = '0', paid = 0, short = 0, over = 0, unexpected = 0 } = row ?? {}
    const unpaid = live.recipientsOf[asset] - paid - short - (over - unexpected)
    const unpaidStatus = asset === 'pf' || canReadCoin ? 'missing' : 'unreadable'
    return { received: BigInt(received), counts: { paid, short, over, [unpaidStatus]: unpaid } }
  }
  const [pf, pls] = [countsOf('pf'), countsOf('pls')]
  return { received: { pf: pf.received, pls: pls.received }, counts: { pf: pf.counts, pls: pls.counts } }
}
