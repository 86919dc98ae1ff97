import { sql } from 'kysely'
import {
  type Cluster,
  MAX_MEMBERS_SHOWN,
  type Signal,
  type SignalKind,
  SIGNALS,
} from '#contract/claims/signals.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import { type Facts, linkReasonOf, reasonOf } from './signal-texts.ts'

/** In the order of SIGNALS: the heaviest kind first. */
export async function readSignals(
  db: Database | Tx,
  claimId: string,
  locale: Locale = DEFAULT_LOCALE,
): Promise<Signal[]> {
  const rows = await db.selectFrom('signals').selectAll().where('claim_id', '=', claimId).execute()
  return rows
    .map(({ kind, weight, facts }) => ({
      kind: kind as SignalKind,
      weight,
      reason: reasonOf(kind as SignalKind, facts as Facts, locale),
    }))
    .toSorted((a, b) => SIGNALS.indexOf(a.kind) - SIGNALS.indexOf(b.kind))
}

/** The cluster of a claim's participant; null if no signal links them to another account. */
export async function readCluster(
  db: Database | Tx,
  claimId: string,
  locale: Locale = DEFAULT_LOCALE,
): Promise<Cluster | null> {
  const { rows } = await sql<ClusterRow>`
    select k.campaign_id, k.cluster_id,
      (select count(*) from clusters m
        where m.campaign_id = k.campaign_id and m.cluster_id = k.cluster_id) as size
    from claims c join clusters k on k.campaign_id = c.campaign_id and k.user_id = c.user_id
    where c.id = ${claimId}`.execute(db)
  const [cluster] = rows
  if (!cluster) return null
  const [members, reasons] = await Promise.all([readMembers(db, cluster), readReasons(db, cluster, locale)])
  return { id: cluster.cluster_id, size: cluster.size, members, reasons }
}

type ClusterRow = { campaign_id: string; cluster_id: string; size: number }

async function readMembers(
  db: Database | Tx,
  { campaign_id, cluster_id }: ClusterRow,
): Promise<Cluster['members']> {
  const { rows } = await sql<Omit<Cluster['members'][number], 'submittedAt'> & { submittedAt: Date }>`
    select c.id as "claimId", u.id as "userId", u.username, c.status, c.submitted_at as "submittedAt",
      c.revision::text
    from clusters k join users u on u.id = k.user_id
    join lateral ${latestClaim(sql.ref('k.campaign_id'), sql.ref('k.user_id'))} c on true
    where k.campaign_id = ${campaign_id} and k.cluster_id = ${cluster_id}
    order by k.user_id limit ${MAX_MEMBERS_SHOWN}`.execute(db)
  return rows.map((row) => ({ ...row, submittedAt: row.submittedAt.toISOString() }))
}

/** Uses the indexes `clusters_members` and `account_links_pkey`. */
async function readReasons(
  db: Database | Tx,
  { campaign_id, cluster_id }: ClusterRow,
  locale: Locale,
): Promise<Cluster['reasons']> {
  const { rows } = await sql<{ kind: SignalKind; accounts: number }>`
    select l.kind, count(distinct member) as accounts
    from clusters k
    join account_links l on l.campaign_id = k.campaign_id and l.newer = k.user_id,
    lateral (values (l.older), (l.newer)) as pair (member)
    where k.campaign_id = ${campaign_id} and k.cluster_id = ${cluster_id}
    group by l.kind order by accounts desc, l.kind`.execute(db)
  return rows.map(({ kind, accounts }) => ({ kind, accounts, reason: linkReasonOf(kind, locale) }))
}
