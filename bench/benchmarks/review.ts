import campaign from '#server/testing/campaign.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { listClaimants } from '#server/domain/claims/list-claimants.ts'
import { listClaims } from '#server/domain/review/list-claims.ts'
import { readSummary } from '#server/domain/review/summary.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testDeps } from '#server/testing/deps.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import type { Options, Report, Row } from '../report.ts'
import { participants } from './board.ts'
import { quantile, timesInTurn } from '../stopwatch.ts'
import { withDatabase } from '../temporary-database.ts'

const FEW = 1_000
const MANY = 100_000
const DECISIONS = 100

/**
 * Measures whether decisions and the lists of the review screen slow down when more claims wait. Takes about
 * five minutes, mostly to fill the campaigns.
 */
export async function review(options: Options): Promise<Report[]> {
  return [await decisions(options), await reviewLists(options)]
}

async function decisions({ quick }: Options): Promise<Report> {
  const manyWaiting = quick ? MANY / 10 : MANY
  const few = await measure(FEW)
  const many = await measure(manyWaiting)
  const row = (what: keyof Measured): Row => {
    const [fewMs, manyMs] = [quantile(few[what], 0.5), quantile(many[what], 0.5)]
    return {
      what,
      [`of ${FEW.toLocaleString('en')} waiting, ms`]: fewMs,
      [`of ${manyWaiting.toLocaleString('en')}, ms`]: manyMs,
      p95: quantile(many[what], 0.95),
      'many : few': manyMs / fewMs,
    }
  }
  return {
    title: 'Decisions, including disk writes',
    rows: (['approve', 'reject', 'undo'] as const).map(row),
    notes: ['Medians of sequential calls; each decision waits until its transaction is on disk.'],
  }
}

/** How many milliseconds each call took, by the kind of decision. */
type Measured = Record<'approve' | 'reject' | 'undo', number[]>

function measure(waiting: number): Promise<Measured> {
  return withDatabase(async ({ db, runAsOwner }) => {
    await runAsOwner(...claimsWaiting(waiting), 'vacuum analyze')
    const deps = await testDeps(db)
    const [admin] = await createUsers(db, campaign.id, 1, { role: 'admin' })
    const reviewer = reviewerOn(deps, admin)
    const claims = await pickClaims(db)
    const decideInTurn = (firstClaim: number, decide: (claimId: string) => Promise<unknown>) => {
      const queue = claims.slice(firstClaim).values()
      return () => decide(queue.next().value ?? '')
    }
    const reject = (id: string) => reviewer.reject(id, { text: 'Facts.' })
    // `undo` takes the claims that were approved. `reject` begins after them, warm-up included.
    return {
      ...(await timesInTurn(DECISIONS, { approve: decideInTurn(0, reviewer.approve) })),
      ...(await timesInTurn(DECISIONS, { undo: decideInTurn(0, reviewer.undo) })),
      ...(await timesInTurn(DECISIONS, { reject: decideInTurn(2 * DECISIONS, reject) })),
    }
  })
}

/** Inserts participants with a claim under review each. One in ten claims has a risk. */
const claimsWaiting = (count: number) => [
  `insert into campaigns (id, slots_total, slots_taken) values ('${campaign.id}', ${2 * count}, ${count})`,
  participants(count),
  `insert into standings (campaign_id, user_id) select '${campaign.id}', id from users`,
  `insert into slots (campaign_id, number, user_id, state)
    select '${campaign.id}', row_number() over (), id, 'claimed' from users`,
  `insert into claims (id, campaign_id, user_id, status, slot, wallet, telegram, twitter, post_id, retweet_link, risk, submitted_at)
    select gen_random_uuid(), campaign_id, user_id, 'under_review', number, '0x' || lpad(to_hex(number), 40, '0'), 't' || number,
      'x' || number, number, 'https://x.com/x' || number || '/status/' || number,
      case when number % 10 = 0 then number % 100 else 0 end, now() - number * interval '1 second'
    from slots`,
]

/** The claims for all measured decisions and their warm-up. */
async function pickClaims(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('claims')
    .select('id')
    .limit(4 * DECISIONS)
    .execute()
  return rows.map(({ id }) => id)
}

const ROUNDS = 200

type Read = (deps: Deps, reviewerId: string) => Promise<unknown>
const list =
  (query: Partial<Parameters<typeof listClaims>[2]>): Read =>
  (deps, reviewerId) =>
    listClaims(deps, reviewerId, { filter: 'waiting', sort: 'age', limit: 50, ...query })

const READS: Record<string, Read> = {
  list: list({}),
  'list by risk': list({ sort: 'risk' }),
  'filter: high risk': list({ risk: 'high' }),
  'filter: medium risk': list({ risk: 'medium' }),
  'filter: decided': list({ filter: 'decided' }),
  search: list({ search: 'person10' }),
  summary: readSummary,
  'those who submitted': (deps, reviewerId) => listClaimants(deps, reviewerId, { page: 1, limit: 20 }),
}

/** Compares two campaigns with the same participants. One has few waiting claims, the other many. */
function reviewLists({ quick }: Options): Promise<Report> {
  const claims = quick ? 10_000 : 500_000
  const [few, many] = [FEW, claims / 5]
  return withDatabase(async ({ db, runAsOwner }) => {
    // Creates the campaign that `createUsers` needs.
    await testDeps(db)
    const [admin] = await createUsers(db, campaign.id, 1, { role: 'admin' })
    await runAsOwner(...twoCampaigns(claims, { few, many }), 'vacuum analyze')
    const depsOf = async (id: string) => testDeps(db, { ...campaign, id })
    const [withFew, withMany] = [await depsOf('few'), await depsOf('many')]
    const rows: Row[] = []
    for (const [what, read] of Object.entries(READS)) {
      const times = await timesInTurn(ROUNDS, {
        few: () => read(withFew, admin.id),
        many: () => read(withMany, admin.id),
      })
      const [fewMs, manyMs] = [quantile(times.few, 0.5), quantile(times.many, 0.5)]
      rows.push({
        what,
        [`${few.toLocaleString('en')} waiting, ms`]: fewMs,
        [`${many.toLocaleString('en')} waiting, ms`]: manyMs,
        'many : few': { value: manyMs / fewMs, mark: { atMost: 2 } },
      })
    }
    return {
      title: `The lists of the review screen, in two campaigns of ${claims.toLocaleString('en')} claims each`,
      rows,
      notes: ['Medians of sequential calls that alternate.'],
    }
  })
}

/**
 * Inserts two campaigns in which the same participants have a claim each; `waiting` says how many wait.
 * Disables the triggers, which would take most of the time, and fills `claim_counts` in their place.
 */
const twoCampaigns = (claims: number, waiting: { few: number; many: number }) => [
  'set session_replication_role = replica',
  `insert into campaigns (id, slots_total, slots_taken) values ('few', ${claims}, ${claims}), ('many', ${claims}, ${claims})`,
  participants(claims),
  `insert into claims (id, campaign_id, user_id, status, slot, wallet, telegram, twitter, post_id, retweet_link, risk, submitted_at,
      decided_at)
    select gen_random_uuid(), campaign, id, case when n > waits then 'approved' else 'under_review' end, n,
      '0x' || lpad(to_hex(n), 40, '0'), 't' || n, 'x' || n, n, 'https://x.com/x' || n || '/status/' || n,
      case when n % 10 = 0 then n % 100 else 0 end, now() - n * interval '1 second', case when n > waits then now() end
    from (select id, row_number() over () as n from users where role = 'user') person,
      (values ('few', ${waiting.few}), ('many', ${waiting.many})) c (campaign, waits)`,
  `insert into claim_counts
    select campaign_id, attempt = 1, decided_at is not null, risk_order, count(*) from claims group by 1, 2, 3, 4`,
]
