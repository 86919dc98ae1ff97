import { sql } from 'kysely'
import { writeTo } from '../accounts/write-to.ts'
import type { Deps } from '../deps.ts'
import { announce } from '../events/announce.ts'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { type Ended, endSome, lockSlots, reserveNext } from './hand-on.ts'

/** How many slots change hands in one transaction: claims wait for it. */
const AT_ONCE = 20

/** What the feature of claims does in the same transaction for whoever lost a kept slot. */
export type OnEnded = (tx: Tx, campaignId: string, ended: Ended) => Promise<void>

type Settling = Pick<Deps, 'db' | 'campaign'>

/**
 * Ends what is kept or reserved past its time, by the database's clock, and reserves every free slot for the
 * next of the waiting list. Done on several nodes at once it does the same as on one.
 */
export async function settleSlots({ db, campaign: { id } }: Settling, onEnded: OnEnded): Promise<void> {
  while (await isDue(db, id)) await inTransaction(db, (tx) => settleSome(tx, id, onEnded))
}

/** Looked at without a lock: nearly always there is nothing to do. */
async function isDue(db: Database, campaignId: string): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from slots where campaign_id = c.id and until <= now())
      or c.slots_taken < c.slots_total and exists (select from waiting_list where campaign_id = c.id) as due
    from campaigns c where c.id = ${campaignId}`.execute(db)
  return rows[0]?.due ?? false
}

async function settleSome(tx: Tx, campaignId: string, onEnded: OnEnded): Promise<void> {
  await lockSlots(tx, campaignId)
  for (const ended of await endSome(tx, campaignId, AT_ONCE)) {
    await onEnded(tx, campaignId, ended)
    await writeTo(tx, ended.userId, 'slot-freed', { state: ended.state })
  }
  for (let left = AT_ONCE; left > 0; left -= 1) {
    const userId = await reserveNext(tx, campaignId)
    if (userId === undefined) break
    await writeTo(tx, userId, 'slot-reserved')
  }
  await announce(tx, 'slots')
}
