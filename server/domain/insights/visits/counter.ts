import { sql } from 'kysely'
import { DIRECT, INVITATION, OTHER_HOSTS, TASKS_DONE, type View } from '#contract/visits.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { ROUTES } from '#web/routes.ts'
import { NO_CAMPAIGN } from '../counts.ts'

/** How many hosts count by name on a day. Others count as {@link OTHER_HOSTS}. */
export const HOSTS_PER_DAY = 50
/** With this many counts, new hosts count as {@link OTHER_HOSTS}, so that no one can fill the memory. */
const MAX_COUNTS = 500

const PAGES: ReadonlySet<string> = new Set(
  Object.values(ROUTES)
    .map(({ path }) => path as string)
    .filter((path) => !path.startsWith('/dashboard')),
)
const FIXED_ARRIVALS = new Set([DIRECT, INVITATION, OTHER_HOSTS])

export type VisitCounter = {
  /**
   * Counts a view of a page, and a visit if the view has an arrival (how the visit began). TASKS_DONE in
   * place of a page counts that all tasks were opened. Ignores unknown pages and the dashboard.
   */
  count: (view: View) => void
  /** Adds what was counted since the last flush to the database, under today (UTC). */
  flush: (db: Database) => Promise<void>
}

/**
 * The site's analytics. Counts views and visits in memory until the next flush, so that a view costs no
 * query. A crash loses what was counted since the last flush. The counts of several nodes add up.
 */
export function createVisitCounter(): VisitCounter {
  let counted = new Map<string, Count>()
  const add = (count: Count) => {
    const key = `${count.measure} ${count.part}`
    const previous = counted.get(key)?.amount ?? 0
    counted.set(key, { ...count, amount: previous + count.amount })
  }
  return {
    count({ page, arrival }) {
      if (page === TASKS_DONE) return add({ measure: 'tasks', part: '', amount: 1 })
      if (!PAGES.has(page)) return
      add({ measure: 'views', part: page, amount: 1 })
      if (arrival === undefined) return
      const part = partOf(arrival)
      const hasRoom = counted.size < MAX_COUNTS || counted.has(`visits ${part}`)
      add({ measure: 'visits', part: hasRoom ? part : OTHER_HOSTS, amount: 1 })
    },
    async flush(db) {
      const batch = [...counted.values()]
      counted = new Map()
      if (batch.length === 0) return
      try {
        await inTransaction(db, (tx) => save(tx, batch))
      } catch (error) {
        for (const count of batch) add(count)
        throw error
      }
    },
  }
}

type Count = { measure: 'views' | 'visits' | 'tasks'; part: string; amount: number }

const partOf = (arrival: string) => (FIXED_ARRIVALS.has(arrival) ? arrival : (hostOf(arrival) ?? DIRECT))

async function save(tx: Tx, batch: readonly Count[]): Promise<void> {
  const named = await arrivalsNamedToday(tx, batch)
  const rows = batch.map(({ measure, part, amount }) => {
    const isNamed = measure !== 'visits' || named.has(part)
    return sql`(${sql.lit(NO_CAMPAIGN)}, ${measure}, utc_day(now()), ${isNamed ? part : OTHER_HOSTS}, ${amount}::bigint)`
  })
  await sql`insert into daily_counts values ${sql.join(rows)}`.execute(tx)
}

/** First the arrivals that already count by name today, then the most frequent arrivals of the batch. */
async function arrivalsNamedToday(tx: Tx, batch: readonly Count[]): Promise<Set<string>> {
  const { rows } = await sql<{ part: string }>`
    select part from daily_counts where campaign_id = ${NO_CAMPAIGN} and measure = 'visits'
      and day = utc_day(now()) group by part`.execute(tx)
  const names = new Set([...FIXED_ARRIVALS, ...rows.map(({ part }) => part)])
  for (const { measure, part } of batch.toSorted((a, b) => b.amount - a.amount))
    if (measure === 'visits' && names.size < HOSTS_PER_DAY + FIXED_ARRIVALS.size) names.add(part)
  return names
}

/** Other hosts and Android apps (`android-app://…`) of a site, and the host under which they count. */
const SAME_SITE = new Map([
  ['t.co', 'x.com'],
  ['twitter.com', 'x.com'],
  ['com.twitter.android', 'x.com'],
  ['t.me', 'telegram.org'],
  ['telegram.me', 'telegram.org'],
  ['web.telegram.org', 'telegram.org'],
  ['org.telegram.messenger', 'telegram.org'],
  ['lm.facebook.com', 'facebook.com'],
  ['com.reddit.frontpage', 'reddit.com'],
  ['old.reddit.com', 'reddit.com'],
  ['out.reddit.com', 'reddit.com'],
])

const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/
const MAX_LENGTH = 60

/**
 * The host under which an arrival counts: without a prefix such as `www.`, and the same for all hosts of a
 * known site.
 * @returns undefined for a text that is not a host name or too long to be shown.
 */
export function hostOf(text: string): string | undefined {
  const host = text.toLowerCase().replace(/^(www|m|l|mobile)\.(?=.+\.)/, '')
  const siteHost = SAME_SITE.get(host) ?? host
  return HOST.test(siteHost) && siteHost.length <= MAX_LENGTH ? siteHost : undefined
}
