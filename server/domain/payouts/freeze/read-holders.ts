import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { MIN_ID } from '#server/platform/database/ids.ts'
import { type Holder, POINT_KINDS, type Points } from './allocate.ts'

/** Rows per statement: few enough for the statement timeout. */
const BATCH_SIZE = 2_000

/** Participants with a payable claim, sorted by wallet. Throws once `ended` is aborted. */
export async function* readHolders(tx: Tx, campaignId: string, ended: AbortSignal): AsyncGenerator<Holder> {
  let last = { wallet: '', claimId: MIN_ID }
  for (;;) {
    ended.throwIfAborted()
    const holders = await readHolderBatch(tx, campaignId, last)
    yield* holders
    const lastHolder = holders.at(-1)
    if (!lastHolder || holders.length < BATCH_SIZE) return
    last = lastHolder
  }
}

/** Sums as text: they may exceed the integers that a number holds exactly. */
type PointsRow = { pf: string; pls: string; referral: string }

const withPoints = <Row extends PointsRow>({ pf, pls, referral, ...row }: Row) => ({
  ...row,
  points: { pf: BigInt(pf), pls: BigInt(pls), referral: BigInt(referral) },
})

/** Lateral subquery: the points of `h.user_id`. Uses the index `ledger_by_user`. */
const pointsOf = (campaignId: string) => sql`(
  select coalesce(sum(amount) filter (where kind = 'pf'), 0)::text as pf,
    coalesce(sum(amount) filter (where kind = 'pls'), 0)::text as pls,
    coalesce(sum(amount) filter (where kind = 'referral'), 0)::text as referral
  from ledger l where l.user_id = h.user_id and l.campaign_id = ${campaignId})`

/** Uses the indexes `claims_wallet` and `ledger_by_user`. A wallet that is a contract is `contradicted`. */
async function readHolderBatch(
  tx: Tx,
  campaignId: string,
  after: Pick<Holder, 'wallet' | 'claimId'>,
): Promise<Holder[]> {
  const { rows } = await sql<PointsRow & Omit<Holder, 'points'>>`
    select h.wallet, h.claim_id as "claimId", h.user_id as "userId",
      coalesce(e.outcome = 'contradicted', false) as "isContract", p.*
    from (
      select lower(wallet) as wallet, id as claim_id, user_id from claims c
      where ${isPayable(campaignId)} and (lower(wallet), id) > (${after.wallet}, ${after.claimId}::uuid)
      order by lower(wallet), id limit ${BATCH_SIZE}) h
    cross join lateral ${pointsOf(campaignId)} p
    left join evidence e on e.claim_id = h.claim_id and e.check_name = 'wallet-kind'
    order by h.wallet, h.claim_id`.execute(tx)
  return rows.map(withPoints)
}

/** Condition on a claim `c`. A deleted account has a `banned_at`, too. */
export const isPayable = (campaignId: string) => sql<boolean>`
  c.campaign_id = ${campaignId} and c.status = 'approved'
    and (select banned_at from users u where u.id = c.user_id) is null`

/** A participant without an approved claim may have points for referrals. */
type UnpaidReason = 'no_approved_claim' | 'account_banned' | 'account_deleted'
export type NonHolder = { userId: string; reason: UnpaidReason; points: Points }

/**
 * Everyone with points whom {@link readHolders} leaves out, sorted by id. Since they are few, the standings
 * (everyone's balances) are read in ranges: to find a full batch of the few could take too long.
 */
export async function* readNonHolders(
  tx: Tx,
  campaignId: string,
  ended: AbortSignal,
): AsyncGenerator<NonHolder> {
  let from = MIN_ID
  for (;;) {
    ended.throwIfAborted()
    const to = await readEndOfRange(tx, campaignId, from)
    yield* await readNonHolderBatch(tx, campaignId, { from, to })
    if (to === null) return
    from = to
  }
}

/** The last user of the range after `from`; null for the last range. Uses the index `standings_pkey`. */
async function readEndOfRange(tx: Tx, campaignId: string, from: string): Promise<string | null> {
  const end = await tx
    .selectFrom('standings')
    .select('user_id')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '>', from)
    .orderBy('user_id')
    .offset(BATCH_SIZE - 1)
    .limit(1)
    .executeTakeFirst()
  return end?.user_id ?? null
}

/** Ids: excludes `from`, includes `to`. A null `to` is no bound. */
type UserRange = { from: string; to: string | null }

/** Uses the indexes `standings_pkey`, `users_pkey`, `ledger_by_user` and `claims_by_user`. */
async function readNonHolderBatch(tx: Tx, campaignId: string, { from, to }: UserRange): Promise<NonHolder[]> {
  const { rows } = await sql<PointsRow & Omit<NonHolder, 'points'>>`
    select h.user_id as "userId", coalesce(a.reason, 'no_approved_claim') as reason, p.* from standings h
    cross join lateral (
      select case when u.deleted_at is not null then 'account_deleted' when u.banned_at is not null then 'account_banned'
        end as reason from users u where u.id = h.user_id) a
    cross join lateral ${pointsOf(campaignId)} p
    where h.campaign_id = ${campaignId} and h.user_id > ${from}
      and (${to}::uuid is null or h.user_id <= ${to}) and h.total > 0
      and (a.reason is not null or not exists (select from claims c
        where c.user_id = h.user_id and c.campaign_id = h.campaign_id and c.status = 'approved'))
    order by h.user_id`.execute(tx)
  return rows.map(withPoints)
}

const ROWS_PER_SUM = 50_000

/** A campaign's points, added up over the whole ledger: an allocation must account for exactly these. */
export async function readLedgerTotals(tx: Tx, campaignId: string): Promise<Points> {
  const totals: Points = { pf: 0n, pls: 0n, referral: 0n }
  let from = MIN_ID
  for (;;) {
    const { rows } = await sql<PointsRow & { last: string | null; rowCount: number }>`
      with next as materialized (select * from ledger where id > ${from} order by id limit ${ROWS_PER_SUM})
      select coalesce(sum(amount) filter (where kind = 'pf' and campaign_id = ${campaignId}), 0)::text as pf,
        coalesce(sum(amount) filter (where kind = 'pls' and campaign_id = ${campaignId}), 0)::text as pls,
        coalesce(sum(amount) filter (where kind = 'referral' and campaign_id = ${campaignId}), 0)::text as referral,
        (select id from next order by id desc limit 1) as last, count(*)::int as "rowCount"
      from next`.execute(tx)
    const [sums] = rows
    if (!sums || sums.last === null) return totals
    for (const kind of POINT_KINDS) totals[kind] += BigInt(sums[kind])
    if (sums.rowCount < ROWS_PER_SUM) return totals
    from = sums.last
  }
}
