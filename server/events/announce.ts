import { type RawBuilder, sql } from 'kysely'
import type { Topic } from '#contract/events.ts'
import type { Database, Tx } from '../platform/database.ts'

/** The channel on which nodes tell each other which topic has news; the payload is the topic. */
export const CHANNEL = 'dropwright_news'

/** Topics whose state is in the database; the heartbeat is each node's own. */
export type StoredTopic = Exclude<Topic, 'heartbeat' | 'claims'>

/**
 * Tells the streams of every node that a topic changed, once the transaction commits and not if it is
 * rolled back. Costs nothing to speak of while nobody listens.
 * @example await announce(tx, 'slots')
 */
export async function announce(tx: Database | Tx, topic: StoredTopic): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${topic})`.execute(tx)
}

const CLAIM = 'claim '

/** Tells the reviewers on every node that a claim changed, and everybody of the topics, once the transaction commits. */
export async function announceClaim(
  tx: Database | Tx,
  claimId: string,
  ...topics: StoredTopic[]
): Promise<void> {
  await announcing(claimId, ...topics).execute(tx)
}

/** The same as a part of a larger statement, which must read from it. */
export function announcing(claimId: string, ...topics: StoredTopic[]): RawBuilder<unknown> {
  const news: string[] = [CLAIM + claimId, ...topics]
  return sql`select pg_notify(${CHANNEL}, told) from unnest(${news}::text[]) told`
}

/** The claim of an announcement that is about one. */
export function claimIn(heard: string): string | undefined {
  return heard.startsWith(CLAIM) ? heard.slice(CLAIM.length) : undefined
}
