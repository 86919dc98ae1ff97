import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'

/** Days are UTC. A week is named by its Monday. */
const Day = z.string().check(z.regex(/^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/, 'day_format'))

/** How long claims have waited: less than this age and at least the one before. `older`: 7 days or more. */
export const AGES = ['1h', '6h', '1d', '3d', '7d', 'older'] as const
export const CLUSTER_SIZES = ['2', '3', '4-5', '6-10', '11-50', '51+'] as const

export const MAX_DAYS = 800

const count = z.number()

/**
 * The figures as tables, each also a CSV file with these columns. `day` is the first day of the period, which
 * is a day or a week. What exactly is counted is in docs/operating.md, "Insights".
 */
export const INSIGHT_TABLES = {
  /** What happened in each period. The steps of one row are not the same people. */
  funnel: z.object({
    day: z.string(),
    views: count,
    visits: count,
    registered: count,
    verified: count,
    tasks: count,
    submitted: count,
    approved: count,
  }),
  /**
   * By what brought the visitor. `submitted` and `approved` count participants who verified their email in
   * the range and have got that far by now.
   */
  arrivals: z.object({
    arrival: z.string(),
    visits: count,
    registered: count,
    verified: count,
    submitted: count,
    approved: count,
  }),
  /** The participants who invited most in the range, and how far the people they invited have got by now. */
  inviters: z.object({ username: z.string(), verified: count, submitted: count, approved: count }),
  waiting: z.object({ age: z.enum(AGES), claims: count }),
  /** Hours from submission to each decision, by the week of the decision; null without a decision. */
  decisionTimes: z.object({
    day: z.string(),
    decisions: count,
    p50: z.nullable(z.number()),
    p90: z.nullable(z.number()),
  }),
  /** `undone`: decisions that anyone undid in the range. `reviewer`: null for decisions by no reviewer. */
  reviewers: z.object({ reviewer: z.nullable(z.string()), approved: count, rejected: count, undone: count }),
  /** Decisions by the risk that their reviewer saw. */
  agreement: z.object({ risk: z.enum(['none', 'low', 'medium', 'high']), approved: count, rejected: count }),
  /** Appeals that were answered, by the decision that answered them. */
  appeals: z.object({ decision: z.enum(['approved', 'rejected']), appeals: count }),
  /** Attempts to hand an email over, by outcome. */
  mail: z.object({ day: z.string(), accepted: count, deferred: count, failed: count }),
  /**
   * Attempts that did not succeed, most frequent first. `reason`: the mail server's three-digit code, or
   * `unreachable`, `late` (the email was no longer of use), `suppressed` (its address has refused emails),
   * `unwanted` (an announcement to a participant who had unsubscribed or was banned) or `other`.
   */
  mailReasons: z.object({
    template: z.string(),
    outcome: z.enum(['deferred', 'failed']),
    reason: z.string(),
    attempts: count,
  }),
  /** `held` (slots in use) and `waiting` are as of the end of the period. */
  slots: z.object({ day: z.string(), taken: count, freed: count, held: count, waiting: count }),
  clusters: z.object({ size: z.enum(CLUSTER_SIZES), clusters: count, participants: count, claims: count }),
} as const

export type InsightTable = keyof typeof INSIGHT_TABLES
export type InsightRow<T extends InsightTable> = z.output<(typeof INSIGHT_TABLES)[T]>
const INSIGHT_NAMES = Object.keys(INSIGHT_TABLES) as [InsightTable, ...InsightTable[]]

export const RangeQuery = z.strictObject({
  /** The first and last day; without them, the last four weeks. */
  from: z.optional(Day),
  to: z.optional(Day),
  by: z._default(z.enum(['day', 'week']), 'day'),
})
export type RangeQuery = z.output<typeof RangeQuery>

const LISTS = Object.fromEntries(INSIGHT_NAMES.map((table) => [table, z.array(INSIGHT_TABLES[table])])) as {
  [T in InsightTable]: z.ZodMiniArray<(typeof INSIGHT_TABLES)[T]>
}

export const Insights = z.object({
  from: z.string(),
  to: z.string(),
  by: z.enum(['day', 'week']),
  ...LISTS,
  /** Independent of the range. */
  slotsTotal: count,
  claimsTotal: count,
})
export type Insights = z.output<typeof Insights>

export const insights = endpoint('GET /insights', {
  access: 'admin',
  summary: 'The figures of the campaign in a range of days (UTC): funnel, review, mail, slots and clusters.',
  limits: [{ per: 'account', take: 60, seconds: 60 }],
  query: RangeQuery,
  reply: z.object({ data: Insights }),
})

export const insightsFile = endpoint('GET /insights/:table', {
  access: 'admin',
  summary:
    'One table of the figures as CSV. Cells that a spreadsheet would run as a formula begin with an apostrophe.',
  limits: [{ per: 'account', take: 60, seconds: 60 }],
  params: z.strictObject({ table: z.enum(INSIGHT_NAMES) }),
  query: RangeQuery,
  reply: z.unknown(),
  file: { name: 'insights.csv', type: 'text/csv; charset=utf-8' },
})
