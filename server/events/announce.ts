import { sql } from 'kysely'
import type { Topic } from '#contract/events.ts'
import type { Database, Tx } from '../platform/database.ts'

/** The channel on which nodes tell each other which topic has news; the payload is the topic. */
export const CHANNEL = 'dropwright_news'

/** Topics whose state is in the database; the heartbeat is each node's own. */
export type StoredTopic = Exclude<Topic, 'heartbeat'>

/**
 * Tells the streams of every node that a topic changed, once the transaction commits and not if it is
 * rolled back. Costs nothing to speak of while nobody listens.
 * @example await announce(tx, 'slots')
 */
export async function announce(tx: Database | Tx, topic: StoredTopic): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${topic})`.execute(tx)
}
