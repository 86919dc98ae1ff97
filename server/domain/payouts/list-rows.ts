import { type RawBuilder, sql } from 'kysely'
import type { Asset } from '#contract/allocation.ts'
import type { LeftOutEntry, payoutLeftOut, payoutRows, PayoutEntry } from '#contract/dashboard/payouts.ts'
import type { QueryOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { pageOf } from '#server/platform/page.ts'
import { requireFreeze } from './live-freeze.ts'
import { isCoinReadable, receivedOf, statusesOf } from './payment-status.ts'

type Query = QueryOf<typeof payoutRows>
type Page<Entry> = { data: Entry[]; next: number | null }

type Row = Omit<PayoutEntry, 'status'> & { position: number }

/**
 * A page of the frozen rows. Positions follow the order of the wallets. Uses the indexes `payout_rows_pkey`
 * (for contracts, `payout_rows_contracts`), `payout_payments_by_row` and `payout_shares_by_row`.
 */
export async function listRows(
  deps: Pick<Deps, 'db' | 'campaign'>,
  query: Query,
): Promise<Page<PayoutEntry>> {
  const live = await requireFreeze(deps)
  const canReadCoin = await isCoinReadable(deps.db, live.id)
  const { rows } = await sql<Row>`
    select r.position, r.wallet, r.is_contract as "isContract", ${amountsJson(sql`r.pf`, sql`r.pls`)} as amounts,
      ${amountsJson(receivedOf('pf'), receivedOf('pls'))} as received,
      array(select u.username from payout_shares s join users u on u.id = s.user_id
        where s.freeze_id = r.freeze_id and s.position = r.position order by u.username) as usernames
    from (
      select r.* from payout_rows r
      where r.freeze_id = ${live.id} and r.position > ${query.after ?? -1} and ${conditionOf(query)}
      order by r.position limit ${query.limit + 1}) r
    order by r.position`.execute(deps.db)
  const { data, next } = pageOf(rows, query.limit, positionOf)
  const entries = data.map(({ position: _position, ...row }) => ({
    ...row,
    status: statusesOf(row.amounts, row.received, canReadCoin),
  }))
  return { data: entries, next }
}

const amountsJson = (pf: RawBuilder<unknown>, pls: RawBuilder<unknown>) =>
  sql`jsonb_build_object('pf', ${pf}::text, 'pls', ${pls}::text)`

function conditionOf({ list, asset }: Query): RawBuilder<unknown> {
  const due = asset === 'pf' ? sql`r.pf` : sql`r.pls`
  const received = receivedOf(asset)
  switch (list) {
    case 'all':
      return sql`true`
    case 'contracts':
      return sql`r.is_contract`
    case 'missing':
      return sql`${due} > 0 and not ${hasPayment(asset)}`
    case 'paid':
      return sql`${due} > 0 and ${received} = ${due}`
    case 'short':
      return sql`${hasPayment(asset)} and ${received} < ${due}`
    case 'over':
      return sql`${hasPayment(asset)} and ${received} > ${due}`
  }
}

const hasPayment = (asset: Asset) => sql`exists (
  select from payout_payments p where p.freeze_id = r.freeze_id and p.position = r.position and p.asset = ${asset})`

const positionOf = ({ position }: { position: number }) => position

type LeftOutRow = LeftOutEntry & { position: number }

/**
 * A page of what the freeze leaves out. A wallet has the usernames of its claims at the freeze, even of
 * claims rejected since. Uses `payout_left_out_pkey`, `claims_by_wallet_prefix` and `payout_shares_pkey`.
 */
export async function listLeftOut(
  deps: Pick<Deps, 'db' | 'campaign'>,
  { after = -1, limit }: QueryOf<typeof payoutLeftOut>,
): Promise<Page<LeftOutEntry>> {
  const live = await requireFreeze(deps)
  const { rows } = await sql<LeftOutRow>`
    select o.number as position, o.reason, o.wallet, ${amountsJson(sql`o.pf`, sql`o.pls`)} as amounts,
      array(select u.username from users u where u.id = o.user_id
        union select u.username from claims c
        join payout_shares s on s.freeze_id = o.freeze_id and s.user_id = c.user_id and s.claim_id = c.id
        join users u on u.id = c.user_id
        where c.campaign_id = ${deps.campaign.id} and lower(c.wallet) = lower(o.wallet)
        order by 1) as usernames
    from payout_left_out o
    where o.freeze_id = ${live.id} and o.number > ${after}
    order by o.number limit ${limit + 1}`.execute(deps.db)
  const { data, next } = pageOf(rows, limit, positionOf)
  return { data: data.map(({ position: _position, ...row }) => row), next }
}
