import { sql } from 'kysely'
import type { SignalKind } from '#contract/signals.ts'
import type { Tx } from '../platform/database.ts'
import { connectedComponents } from './connected-components.ts'
import { COUNTED } from './weights.ts'

type Joins = {
  campaignId: string
  userId: string
  by: readonly { kind: SignalKind; joins: readonly string[] }[]
}

/** Each account is tied to so many others of a kind: more would tell nothing new about who belongs together. */
const TIES = 3

/**
 * Keeps what joins an account to others as it is now, and the clusters that follow from it. Nodes that join
 * accounts of one campaign at the same moment wait for each other, so that no two halves of a cluster are left.
 */
export async function joinAccounts(tx: Tx, { campaignId, userId, by }: Joins): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('clusters of ' || ${campaignId}, 0))`.execute(tx)
  const old = await linksOf(tx, campaignId, [userId])
  const links = by.flatMap(({ kind, joins }) =>
    joins.slice(0, TIES).map((other): Link => {
      const [older, newer] = other < userId ? [other, userId] : [userId, other]
      return { older, newer, kind }
    }),
  )
  const added = links.filter((link) => !old.some((known) => isSame(known, link)))
  const gone = old.filter((link) => !isStillTrue(link, userId, by))
  if (added.length > 0) await add(tx, campaignId, added)
  if (gone.length > 0) await regroup(tx, campaignId, userId, gone)
  if (added.length > 0)
    await merge(tx, campaignId, [userId, ...added.flatMap(({ older, newer }) => [older, newer])])
}

type Link = { older: string; newer: string; kind: string }

const isSame = (a: Link, b: Link) => a.older === b.older && a.newer === b.newer && a.kind === b.kind

/** A kind that has more others than are looked at may hold for one that was not among them. */
function isStillTrue(link: Link, userId: string, by: Joins['by']): boolean {
  const joins = by.find(({ kind }) => kind === link.kind)?.joins ?? []
  const other = link.older === userId ? link.newer : link.older
  return joins.length > COUNTED || joins.includes(other)
}

async function linksOf(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select older, newer, kind from account_links where campaign_id = ${campaignId} and newer = any (${userIds}::uuid[])
    union
    select older, newer, kind from account_links where campaign_id = ${campaignId} and older = any (${userIds}::uuid[])`.execute(
    tx,
  )
  return rows
}

async function add(tx: Tx, campaignId: string, links: readonly Link[]): Promise<void> {
  await tx
    .insertInto('account_links')
    .values(links.map((link) => ({ campaign_id: campaignId, ...link })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The clusters of all of these become one, under the name of the oldest account. */
async function merge(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<void> {
  await sql`
    with named as (
      select distinct coalesce(c.cluster_id, one) as id
      from unnest(${[...new Set(userIds)]}::uuid[]) one
      left join clusters c on c.campaign_id = ${campaignId} and c.user_id = one),
    oldest as (select id from named order by id limit 1),
    moved as (
      update clusters set cluster_id = oldest.id from oldest
      where campaign_id = ${campaignId} and cluster_id in (select id from named) and cluster_id <> oldest.id)
    insert into clusters (campaign_id, user_id, cluster_id)
    select ${campaignId}, one, oldest.id from unnest(${[...new Set(userIds)]}::uuid[]) one, oldest
    on conflict do nothing`.execute(tx)
}

/** What joined the account no longer does: its cluster is made anew of the links that are left. */
async function regroup(tx: Tx, campaignId: string, userId: string, gone: readonly Link[]): Promise<void> {
  for (const { older, newer, kind } of gone)
    await sql`
      delete from account_links where campaign_id = ${campaignId} and older = ${older} and newer = ${newer}
        and kind = ${kind}`.execute(tx)
  const { rows } = await sql<{ user_id: string }>`
    delete from clusters where campaign_id = ${campaignId} and cluster_id = (
      select cluster_id from clusters where campaign_id = ${campaignId} and user_id = ${userId})
    returning user_id`.execute(tx)
  const members = rows.map((row) => row.user_id)
  for (const group of connectedComponents(await linksOf(tx, campaignId, members)))
    await merge(tx, campaignId, group)
}
