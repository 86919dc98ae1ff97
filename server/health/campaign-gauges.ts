import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'

const IN_CAMPAIGN = 'campaign_id = $1'
const IN_NO_CAMPAIGN = `campaign_id = ''`

/** Reads a few thousand entries of the index `daily_counts_order`, however many participants there are. */
const sumOf = (measure: string, condition: string, stateSql = 'part', amountSql = 'amount') =>
  `select ${stateSql} as state, sum(${amountSql})::int8 as amount from daily_counts
  where ${condition} and measure = '${measure}' group by 1`

/** Each query returns values by state. */
const GAUGES: readonly (readonly [name: string, help: string, query: string])[] = [
  [
    'participants',
    'Participants who verified their email, also those who were banned or deleted since.',
    sumOf('verified', IN_NO_CAMPAIGN, 'measure'),
  ],
  ['claims', 'Claims of the campaign by state.', sumOf('claims', IN_CAMPAIGN)],
  [
    'mail_attempts',
    'Attempts to hand over an email by outcome, since counting began.',
    sumOf('mail', IN_NO_CAMPAIGN, `split_part(part, ' ', 2)`),
  ],
  [
    'slots',
    'Slots of the campaign: total and taken.',
    `select state, amount
    from campaigns, lateral (values ('total', slots_total), ('taken', slots_taken)) s (state, amount) where id = $1`,
  ],
  [
    'waiting_list',
    'Participants on the waiting list of the campaign.',
    sumOf('waiting_list', IN_CAMPAIGN, `'waiting'`, `case part when 'left' then -amount else amount end`),
  ],
  [
    'leaderboard',
    'Participants on the leaderboard of the campaign.',
    // The last of the running totals, with what has changed since they were compacted.
    `select 'listed' as state, coalesce(sum(people), 0)::int8 as amount from (
      select upto[cardinality(upto)] as people from standings_totals where campaign_id = $1
      union all select people from standings_changes where campaign_id = $1) counted`,
  ],
]

/** Gauges of the campaign as it is now, across all nodes. Without the database they have no values. */
export function addCampaignGauges(registry: Registry, pool: pg.Pool, campaignId: () => string): void {
  for (const [name, help, query] of GAUGES) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['state'] as const,
      registers: [registry],
      async collect() {
        gauge.reset()
        const values = await readValues(pool, query, campaignId()).catch(() => [])
        for (const { state, amount } of values) gauge.set({ state }, amount)
      },
    })
  }
}

type Value = { state: string; amount: number }

async function readValues(pool: pg.Pool, query: string, campaignId: string): Promise<Value[]> {
  return (await pool.query<Value>(query, query.includes('$1') ? [campaignId] : [])).rows
}
