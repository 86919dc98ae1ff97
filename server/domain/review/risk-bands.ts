import { type RawBuilder, sql } from 'kysely'
import { type Risk, RISK_THRESHOLDS } from '#contract/dashboard/review.ts'

const { medium, high } = RISK_THRESHOLDS

export function bandOf(risk: number): Risk {
  if (risk >= high) return 'high'
  return risk >= medium ? 'medium' : 'low'
}

// Conditions on `risk_order`, the negative risk, which the indexes are on.
export const IS_FLAGGED = sql<boolean>`risk_order < 0`
export const IS_IN_BAND: Record<Risk, RawBuilder<boolean>> = {
  low: sql`risk_order > ${sql.lit(-medium)}`,
  medium: sql`risk_order between ${sql.lit(1 - high)} and ${sql.lit(-medium)}`,
  high: sql`risk_order <= ${sql.lit(-high)}`,
}
