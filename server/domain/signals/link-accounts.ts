import { sql } from 'kysely'
import type { SignalKind } from '#contract/claims/signals.ts'
import { lockByName } from '#server/platform/database/advisory-lock.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { MAX_COUNTED } from './weights.ts'

type AccountSignals = {
  campaignId: string
  userId: string
  signals: readonly { kind: SignalKind; linkedTo: readonly string[] }[]
}

/** Per account and kind. More links would rarely change the cluster. */
const MAX_LINKS = 3

/**
 * Links accounts that one person may hold (multi-account, sybil). Updates an account's links to match its
 * current signals, and the clusters to match the links. An advisory lock per campaign keeps concurrent
 * updates from leaving a cluster in two parts.
 * @returns the accounts that are no longer linked to this one.
 */
export async function linkAccounts(
  tx: Tx,
  { campaignId, userId, signals }: AccountSignals,
): Promise<string[]> {
  const linkable = await lockLinked(tx, signals)
  await lockByName(tx, `clusters of ${campaignId}`)
  const existing = await readLinks(tx, campaignId, [userId])
  const links = signals.flatMap(({ kind, linkedTo }) =>
    linkedTo
      .slice(0, MAX_LINKS)
      .filter((other) => linkable.has(other))
      .map((other): Link => {
        // Ids are in the order of creation.
        const [older, newer] = other < userId ? [other, userId] : [userId, other]
        return { older, newer, kind }
      }),
  )
  const added = links.filter((link) => !existing.some((stored) => isSame(stored, link)))
  const removed = existing.filter((link) => !stillHolds(link, userId, signals))
  if (removed.length > 0) await removeLinks(tx, campaignId, userId, removed)
  if (added.length > 0) await addLinks(tx, campaignId, added)
  return removed.map((link) => otherEnd(link, userId))
}

/** Locks accounts before clusters, as a deletion does. @returns the accounts that are not deleted. */
async function lockLinked(tx: Tx, signals: AccountSignals['signals']): Promise<Set<string>> {
  const ids = signals.flatMap(({ linkedTo }) => linkedTo.slice(0, MAX_LINKS))
  if (ids.length === 0) return new Set()
  const accounts = tx.selectFrom('users').select('id').where('id', 'in', ids).where('deleted_at', 'is', null)
  return new Set((await accounts.forKeyShare().execute()).map(({ id }) => id))
}

type Link = { older: string; newer: string; kind: string }

const otherEnd = ({ older, newer }: Link, userId: string) => (older === userId ? newer : older)

const isSame = (a: Link, b: Link) => a.older === b.older && a.newer === b.newer && a.kind === b.kind

/** Also true if the signal links more accounts than are read. */
function stillHolds(link: Link, userId: string, signals: AccountSignals['signals']): boolean {
  const linkedTo = signals.find(({ kind }) => kind === link.kind)?.linkedTo ?? []
  return linkedTo.length > MAX_COUNTED || linkedTo.includes(otherEnd(link, userId))
}

async function readLinks(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select older, newer, kind from account_links
    where campaign_id = ${campaignId} and newer = any (${userIds}::uuid[])
    union
    select older, newer, kind from account_links
    where campaign_id = ${campaignId} and older = any (${userIds}::uuid[])`.execute(tx)
  return rows
}

/** Rebuilds the account's cluster from the remaining links. */
async function removeLinks(
  tx: Tx,
  campaignId: string,
  userId: string,
  removed: readonly Link[],
): Promise<void> {
  for (const { older, newer, kind } of removed)
    await sql`
      delete from account_links where campaign_id = ${campaignId} and older = ${older} and newer = ${newer}
        and kind = ${kind}`.execute(tx)
  const { rows } = await sql<{ user_id: string }>`
    delete from clusters where campaign_id = ${campaignId} and cluster_id = (
      select cluster_id from clusters where campaign_id = ${campaignId} and user_id = ${userId})
    returning user_id`.execute(tx)
  const members = rows.map((row) => row.user_id)
  for (const component of connectedComponents(await readLinks(tx, campaignId, members)))
    await mergeClusters(tx, campaignId, component)
}

export function connectedComponents(pairs: readonly { older: string; newer: string }[]): string[][] {
  const parents = new Map<string, string>()
  const rootOf = (node: string): string => {
    let root = node
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next
    parents.set(node, root)
    return root
  }
  for (const { older, newer } of pairs) parents.set(rootOf(newer), rootOf(older))
  const components = Map.groupBy([...parents.keys()], rootOf)
  return [...components.values()]
}

async function addLinks(tx: Tx, campaignId: string, links: readonly Link[]): Promise<void> {
  await tx
    .insertInto('account_links')
    .values(links.map((link) => ({ campaign_id: campaignId, ...link })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const linked = links.flatMap(({ older, newer }) => [older, newer])
  await mergeClusters(tx, campaignId, linked)
}

/** The cluster's id is that of its oldest account. Uses the index `clusters_members`. */
async function mergeClusters(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<void> {
  await sql`
    with named as (
      select distinct coalesce(c.cluster_id, account) as id
      from unnest(${[...new Set(userIds)]}::uuid[]) account
      left join clusters c on c.campaign_id = ${campaignId} and c.user_id = account),
    oldest as (select id from named order by id limit 1),
    moved as (
      update clusters set cluster_id = oldest.id from oldest
      where campaign_id = ${campaignId} and cluster_id in (select id from named) and cluster_id <> oldest.id)
    insert into clusters (campaign_id, user_id, cluster_id)
    select ${campaignId}, account, oldest.id from unnest(${[...new Set(userIds)]}::uuid[]) account, oldest
    on conflict do nothing`.execute(tx)
}

/** Erases an account's network visits and links, and rebuilds its clusters without the account. */
export async function eraseVisitsAndLinks(tx: Tx, userId: string): Promise<void> {
  // Uses the index `network_visits_pkey`, once for each campaign.
  await sql`
    delete from network_visits v using campaigns c
    where v.campaign_id = c.id and v.user_id = ${userId}`.execute(tx)
  const { rows } = await sql<{ campaign_id: string }>`
    select k.campaign_id from campaigns c join clusters k on k.campaign_id = c.id and k.user_id = ${userId}
    order by k.campaign_id`.execute(tx)
  for (const { campaign_id: campaignId } of rows) {
    await linkAccounts(tx, { campaignId, userId, signals: [] })
    // `linkAccounts` does not rebuild the cluster of an account without links.
    await tx
      .deleteFrom('clusters')
      .where('campaign_id', '=', campaignId)
      .where('user_id', '=', userId)
      .execute()
  }
}
