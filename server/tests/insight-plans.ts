import { compactDailyCounts } from '../domain/insights/counts.ts'
import { readArrivals, readFunnel, readInviters } from '../domain/insights/funnel.ts'
import { readMail } from '../domain/insights/mail-figures.ts'
import { addDays, dayOf, type Range } from '../domain/insights/range.ts'
import {
  readAgreement,
  readDecisionTimes,
  readReviewers,
  readWaiting,
} from '../domain/insights/review-figures.ts'
import { readClusters, readSlotFigures, readTotals } from '../domain/insights/slot-figures.ts'
import type { Deps } from '../deps.ts'
import { createVisitCounter } from '../domain/insights/visits/counter.ts'
import { ROWS } from '../testing/builders/large-campaign.ts'
import type { PlanCases, Run } from '../testing/checks/plans.ts'

type Reader = (db: Deps['db'], campaignId: string, range: Range) => Promise<unknown>

const TODAY = dayOf(new Date())
const FOUR_WEEKS: Range = { from: addDays(TODAY, -27), to: TODAY, by: 'day' }
const figures =
  (read: Reader): Run =>
  ({ db, campaign }) =>
    read(db, campaign.id, FOUR_WEEKS)

const COUNTS = ['daily_counts_order']

/** The figures of the insights, with 500 days of daily counts. */
export const INSIGHT_PLANS: PlanCases = {
  'the funnel of four weeks': [figures(readFunnel), COUNTS],
  'where participants of four weeks came from': [figures(readArrivals), COUNTS],
  // Reads everyone who was invited in the range: here all, because all accounts are of today.
  'those who invited most': [
    figures(readInviters),
    ['users_invited', 'users_by_referrer', 'claims_by_user', 'users_pkey'],
    ROWS / 2,
  ],
  // Reads every waiting claim, which is half of them.
  'the ages of waiting claims': [figures(readWaiting), ['claims_waiting'], ROWS * 0.6],
  'the times of decisions': [figures(readDecisionTimes), COUNTS],
  'the reviewers': [figures(readReviewers), COUNTS],
  'decisions by risk': [figures(readAgreement), COUNTS],
  'emails of four weeks': [figures(readMail), COUNTS],
  'slots of four weeks, from all days before them': [figures(readSlotFigures), COUNTS, ROWS / 4],
  // Reads every account in a cluster.
  'clusters by size': [figures(readClusters), ['claims_one_live'], ROWS],
  'slots and claims in total': [figures(readTotals), COUNTS],
  // Reads all rows, through an index or not, depending on the table's statistics.
  'compacting the daily counts': [({ db }) => compactDailyCounts(db), [], 2 * ROWS],
  'saving visits': [
    ({ db }) => {
      const counter = createVisitCounter()
      counter.count({ page: '/', arrival: 'new.example' })
      return counter.flush(db)
    },
    COUNTS,
    200,
  ],
}
