import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { AlertCondition } from '#contract/dashboard/alerts.ts'

const IN_CAMPAIGN = 'campaign_id = $1'
/** For counts that do not depend on the campaign, such as those of emails. */
const IN_NO_CAMPAIGN = `campaign_id = ''`

/**
 * SQL that sums the counts of a measure. `state` and `amount` are SQL expressions. Reads a few thousand
 * entries of the index `daily_counts_order`, however many participants there are.
 */
const sumOf = (measure: string, condition: string, { state = 'part', amount = 'amount' } = {}) =>
  `select ${state} as state, sum(${amount})::int8 as amount from daily_counts
  where ${condition} and measure = '${measure}' group by 1`

/** Reads only the indexes `jobs_due` and `jobs_dead`. A kind that ends with an id counts without the id. */
export const JOB_COUNTS = `
  select split_part(kind, ' ', 1) as kind, 'waiting' as state, count(*) as amount from jobs
    where done_at is null and dead_at is null group by 1
  union all
  select split_part(kind, ' ', 1), 'dead', count(*) from jobs where dead_at is not null group by 1`

type DatabaseGauge = {
  name: string
  help: string
  labels?: string[]
  /** Returns the labels and the `amount` of each value; `$1` is the campaign's id. */
  query: string
}

const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'participants',
    help: 'Participants who verified their email, also those who were banned or deleted since.',
    query: sumOf('verified', IN_NO_CAMPAIGN, { state: 'measure' }),
  },
  { name: 'claims', help: 'Claims of the campaign by state.', query: sumOf('claims', IN_CAMPAIGN) },
  {
    name: 'mail_attempts',
    help: 'Attempts to hand over an email by outcome, since counting began.',
    // A part consists of the template and the outcome.
    query: sumOf('mail', IN_NO_CAMPAIGN, { state: `split_part(part, ' ', 2)` }),
  },
  {
    name: 'slots',
    help: 'Slots of the campaign: total and taken.',
    query: `select state, amount
    from campaigns, lateral (values ('total', slots_total), ('taken', slots_taken)) s (state, amount) where id = $1`,
  },
  {
    name: 'waiting_list',
    help: 'Participants on the waiting list of the campaign.',
    query: sumOf('waiting_list', IN_CAMPAIGN, {
      state: `'waiting'`,
      amount: `case part when 'left' then -amount else amount end`,
    }),
  },
  {
    name: 'leaderboard',
    help: 'Participants on the leaderboard of the campaign.',
    // The last running total, and what has changed since the totals were compacted.
    query: `select 'listed' as state, coalesce(sum(people), 0)::int8 as amount from (
      select upto[cardinality(upto)] as people from standings_totals where campaign_id = $1
      union all select people from standings_changes where campaign_id = $1) counted`,
  },
  {
    name: 'jobs',
    help: 'Queued (waiting) and abandoned (dead) jobs by kind, across all nodes.',
    labels: ['kind', 'state'],
    query: JOB_COUNTS,
  },
  {
    name: 'token_proof_age_seconds',
    help: 'Time since the last token check with a verdict about a claim, by claim and verdict.',
    labels: ['claim', 'verdict'],
    // Only the token that was checked last: an earlier campaign file may have named another one.
    query: `
      select claim, conclusion->>'verdict' as verdict,
        extract(epoch from now() - concluded_at)::float8 as amount
      from token_proofs where conclusion is not null
        and token = (select token from token_checks order by asked_at desc, token limit 1)`,
  },
  {
    name: 'alerts',
    help: 'Problems with the deployment about which administrators are emailed, by condition.',
    labels: ['condition'],
    query: `
      select condition, count(alerts.condition) filter (where cleared_at is null) as amount
      from (values ${AlertCondition.options.map((condition) => `('${condition}')`).join()}) known (condition)
        left join alerts using (condition) group by condition`,
  },
]

/** Read for each scrape. Without the database they have no values: zeros would say that all is well. */
export function addDatabaseGauges(registry: Registry, pool: pg.Pool, campaignId: () => string): void {
  for (const { name, help, labels = ['state'], query } of GAUGES) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        gauge.reset()
        const parameters = query.includes('$1') ? [campaignId()] : []
        const { rows } = await pool.query<Value>(query, parameters).catch(() => ({ rows: [] }))
        for (const { amount, ...labelValues } of rows) gauge.set(labelValues, amount)
      },
    })
  }
}

type Value = Record<string, string | number> & { amount: number }
