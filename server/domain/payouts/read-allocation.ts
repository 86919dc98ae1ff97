import { sql } from 'kysely'
import type { AllocationSummary, Allotment, Drift } from '#contract/allocation.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { isChecksumRight, toChecksum } from '#server/platform/eip55.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import { countDrift } from './drift.ts'
import { LEAVES_PER_CHUNK, NODES_PER_CHUNK } from './freeze/store-rows.ts'
import { type LiveFreeze, readLiveFreeze } from './live-freeze.ts'

/** How long a count of drift (changes since the freeze) is kept: counting reads all later ledger rows. */
export const MAX_DRIFT_AGE_MS = 60_000

/** The reader returns null while nothing is frozen. @param now a monotonic clock in milliseconds. */
export function createSummaryReader(
  deps: Pick<Deps, 'publicReads' | 'campaign'>,
  now = () => performance.now(),
) {
  const lastCounts = new Map<string, { drift: Promise<Record<Drift, number>>; countedAtMs: number }>()
  return (campaignId = deps.campaign.id) =>
    deps.publicReads.read(async (db): Promise<AllocationSummary | null> => {
      const live = await readLiveFreeze(db, campaignId)
      if (!live) return null
      const last = lastCounts.get(live.id)
      if (last && now() - last.countedAtMs < MAX_DRIFT_AGE_MS) return summaryOf(live, await last.drift)
      const drift = countDrift(db, live)
      lastCounts.set(live.id, { drift, countedAtMs: now() })
      drift.catch(() => lastCounts.delete(live.id))
      return summaryOf(live, await drift)
    })
}

export function summaryOf({ terms, ...live }: LiveFreeze, drift: Record<Drift, number>): AllocationSummary {
  return {
    root: live.root,
    recipients: live.recipients,
    totals: { pf: String(live.pf), pls: String(live.pls) },
    frozenAt: live.frozenAt.toISOString(),
    chainId: terms.chain.id,
    token: terms.token,
    coin: { symbol: terms.coin.symbol, decimals: terms.coin.decimals },
    drift,
  }
}

/** @throws refusals `invalid_input` for an invalid address or checksum, and `allocation_not_found`. */
export async function readAllotment(
  { publicReads, campaign }: Pick<Deps, 'publicReads' | 'campaign'>,
  text: string,
  campaignId = campaign.id,
): Promise<Allotment> {
  const wallet = readAddress('wallet', text)
  const row = await publicReads.read(async (db) => readProvenRow(db, campaignId, wallet))
  if (!row) throw refuse('allocation_not_found')
  const { root, leaf, proof, pf, pls } = row
  return { wallet, amounts: { pf, pls }, leaf, proof, root }
}

/** @returns the address with its EIP-55 checksum. @throws refusal `invalid_input` naming `field`. */
export function readAddress(field: string, text: string): string {
  const address = text.trim().replace(/^0X/, '0x')
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw refuseField(field, 'wallet_format')
  if (!isChecksumRight(address)) throw refuseField(field, 'wallet_checksum')
  return toChecksum(address)
}

type ProvenRow = { root: string; pf: string; pls: string; leaf: string; proof: string[] }

/**
 * Reads a row of the live freeze, and from the stored tree only the nodes that prove it: its leaf, and the
 * sibling of each node on the path to the root. Uses the indexes `payout_rows_freeze_id_wallet_key` and
 * `payout_chunks_pkey`.
 */
async function readProvenRow(
  db: Database,
  campaignId: string,
  wallet: string,
): Promise<ProvenRow | undefined> {
  const { rows } = await sql<ProvenRow>`
    with recursive live as (
      select f.id, f.root from (select * from payout_freezes where campaign_id = ${campaignId} order by number desc limit 1) f
      where not exists (select from payout_thaws t where t.campaign_id = f.campaign_id and t.number = f.number)),
    recipient as (
      select l.id, l.root, r.pf, r.pls, ${leafNodeAt(sql`l.id`, sql`r.position`)} as leaf
      from live l join payout_rows r on r.freeze_id = l.id and r.wallet = ${wallet}),
    path (id, node, height) as (
      select id, leaf, 0 from recipient
      union all select id, (node - 1) / 2, height + 1 from path where node > 0)
    select '0x' || encode(root, 'hex') as root, pf::text as pf, pls::text as pls,
      ${nodeAt(sql`recipient.id`, sql`recipient.leaf`)} as leaf,
      array(select ${nodeAt(sql`p.id`, sql`(case when p.node % 2 = 0 then p.node - 1 else p.node + 1 end)`)}
        from path p where p.node > 0 order by p.height) as proof
    from recipient`.execute(db)
  return rows[0]
}

type Sql = ReturnType<typeof sql>

/** Subquery: a node of the tree, as `0x` and 64 digits. */
const nodeAt = (freezeId: Sql, node: Sql) => sql`(
  select '0x' || encode(substring(c.bytes from 32 * (${node} % ${sql.lit(NODES_PER_CHUNK)}) + 1 for 32), 'hex')
  from payout_chunks c
  where c.freeze_id = ${freezeId} and c.part = 'nodes' and c.number = ${node} / ${sql.lit(NODES_PER_CHUNK)})`

/** Subquery: the number of the node that is a row's leaf. */
const leafNodeAt = (freezeId: Sql, position: Sql) => sql`(
  select ('x' || encode(substring(c.bytes from 4 * (${position} % ${sql.lit(LEAVES_PER_CHUNK)}) + 1 for 4), 'hex'))::bit(32)::integer
  from payout_chunks c
  where c.freeze_id = ${freezeId} and c.part = 'leaves' and c.number = ${position} / ${sql.lit(LEAVES_PER_CHUNK)})`
