import type { InsightRow } from '#contract/dashboard/insights.ts'
import { OTHER_HOSTS } from '#contract/visits.ts'
import { bandOf } from '../review/risk-bands.ts'

/** For each doubling of 1 + the wait in minutes; step 0 begins at no wait. As in SQL's `decision_counts`. */
const STEPS_PER_DOUBLING = 8

/** A step of the histogram of waits, and how many decisions took that long. */
type WaitStep = { step: number; decisions: number }

/**
 * Estimates a quantile of the waits. Assumes that each step's decisions are spread evenly over the step.
 * @returns hours to three significant digits, less than a tenth off above ten minutes; null if none.
 */
export function quantileHours(waits: readonly WaitStep[], quantile: number): number | null {
  const sorted = waits.filter(({ decisions }) => decisions > 0).toSorted((a, b) => a.step - b.step)
  const target = quantile * sorted.reduce((sum, { decisions }) => sum + decisions, 0)
  let decisionsBefore = 0
  for (const { step, decisions } of sorted) {
    if (decisionsBefore + decisions >= target) {
      const [low, high] = [minutesAt(step), minutesAt(step + 1)]
      return threeDigits((low + ((high - low) * (target - decisionsBefore)) / decisions) / 60)
    }
    decisionsBefore += decisions
  }
  return null
}

const minutesAt = (step: number) => 2 ** (step / STEPS_PER_DOUBLING) - 1

const threeDigits = (hours: number) => Number(hours.toPrecision(3))

type Arrival = InsightRow<'arrivals'>
const ARRIVAL_STEPS = ['visits', 'registered', 'verified', 'submitted', 'approved'] as const

const MAX_NAMED_ARRIVALS = 12

/** Keeps the arrivals with the most verified emails and sums up the others as {@link OTHER_HOSTS}. */
export function foldArrivals(arrivals: readonly Arrival[]): Arrival[] {
  const named = arrivals
    .filter(({ arrival }) => arrival !== OTHER_HOSTS)
    .toSorted((a, b) => b.verified - a.verified || b.visits - a.visits || (a.arrival < b.arrival ? -1 : 1))
  const unnamed = arrivals.filter(({ arrival }) => arrival === OTHER_HOSTS)
  const others = [...named.slice(MAX_NAMED_ARRIVALS), ...unnamed]
  if (others.length === 0) return named
  const total = { arrival: OTHER_HOSTS, visits: 0, registered: 0, verified: 0, submitted: 0, approved: 0 }
  for (const row of others) for (const step of ARRIVAL_STEPS) total[step] += row[step]
  return [...named.slice(0, MAX_NAMED_ARRIVALS), total]
}

/** The decisions by risk. A `part` is a risk and a decision: `30 approved`. */
export function agreementOf(sums: readonly { part: string; amount: number }[]): InsightRow<'agreement'>[] {
  const rows = (['none', 'low', 'medium', 'high'] as const).map((band) => {
    return { risk: band, approved: 0, rejected: 0 }
  })
  for (const { part, amount } of sums) {
    const [risk = '', decision] = part.split(' ')
    const band = risk === '0' ? 'none' : bandOf(Number(risk))
    const row = rows.find((bandRow) => bandRow.risk === band)
    if (row && (decision === 'approved' || decision === 'rejected')) row[decision] += amount
  }
  return rows
}
