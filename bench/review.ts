import campaign from '#server/testing/campaign.ts'
import type { Database } from '#server/platform/database/database.ts'
import { listClaims } from '#server/domain/review/list-claims.ts'
import { readSummary } from '#server/domain/review/summary.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testDeps } from '#server/testing/deps.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import type { Report, Row } from './report.ts'
import { time, type Times } from './stopwatch.ts'
import { withDatabase } from './temporary-database.ts'

const FEW = 100
const MANY = 100_000
const DECISIONS = 100

/** Measures whether decisions, pages and counts slow down as more claims wait. */
export async function review(): Promise<Report> {
  const few = await measure(FEW * 10)
  const many = await measure(MANY)
  const row = (what: keyof typeof many): Row => ({
    what,
    [`of ${(FEW * 10).toLocaleString('en')} waiting, ms`]: few[what].median,
    [`of ${MANY.toLocaleString('en')}, ms`]: many[what].median,
    p95: many[what].p95,
    'many : few': many[what].median / few[what].median,
  })
  return {
    title: 'The verbs of the review screen, including disk writes',
    rows: (Object.keys(many) as (keyof typeof many)[]).map(row),
    notes: ['Medians of sequential calls; each decision waits until its transaction is on disk.'],
  }
}

type Measured = Record<'approve' | 'reject' | 'undo' | 'first page' | 'later page' | 'counts', Times>

function measure(waiting: number): Promise<Measured> {
  return withDatabase(async ({ db, prepare }) => {
    await prepare(...claimsWaiting(waiting), 'vacuum analyze')
    const deps = await testDeps(db)
    const [boss] = await createUsers(db, campaign.id, 1, { role: 'admin' })
    if (!boss) throw new Error('The administrator was not created.')
    const reviewer = reviewerOn(deps, boss)
    const claims = await pickClaims(db)
    const eachOf = (from: number, decide: (claimId: string) => Promise<unknown>) => {
      const queue = claims.slice(from).values()
      return () => decide(queue.next().value ?? '')
    }
    const query = { filter: 'waiting', sort: 'age', limit: 50 } as const
    const approve = await time(DECISIONS, eachOf(0, reviewer.approve))
    const undo = await time(DECISIONS, eachOf(0, reviewer.undo))
    const reject = await time(
      DECISIONS,
      eachOf(2 * DECISIONS, (id) => reviewer.reject(id, 'Facts.')),
    )
    const { next } = await listClaims(deps, boss.id, query)
    return {
      approve,
      reject,
      undo,
      'first page': await time(DECISIONS, () => listClaims(deps, boss.id, query)),
      'later page': await time(DECISIONS, () =>
        listClaims(deps, boss.id, { ...query, ...(next !== null && { cursor: next }) }),
      ),
      counts: await time(DECISIONS, () => readSummary(deps)),
    }
  })
}

/** Enough for all measured decisions and their warm-up. */
async function pickClaims(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('claims')
    .select('id')
    .limit(4 * DECISIONS)
    .execute()
  return rows.map(({ id }) => id)
}

/** Participants who each have a claim under review, one in ten with a risk. */
const claimsWaiting = (count: number) => [
  `insert into campaigns (id, slots_total, slots_taken) values ('${campaign.id}', ${2 * count}, ${count})`,
  `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
    select gen_random_uuid(), 'person' || n, n || '@bench.example', n || '@bench.example', n || '@bench.example', '', 'B' || n
    from generate_series(1, ${count}) n`,
  `insert into standings (campaign_id, user_id) select '${campaign.id}', id from users`,
  `insert into slots (campaign_id, number, user_id, state)
    select '${campaign.id}', row_number() over (), id, 'claimed' from users`,
  `insert into claims (id, campaign_id, user_id, status, slot, wallet, telegram, twitter, post_id, retweet_link, risk, submitted_at)
    select gen_random_uuid(), campaign_id, user_id, 'under_review', number, '0x' || lpad(to_hex(number), 40, '0'), 't' || number,
      'x' || number, number, 'https://x.com/x' || number || '/status/' || number,
      case when number % 10 = 0 then number % 100 else 0 end, now() - number * interval '1 second'
    from slots`,
]
