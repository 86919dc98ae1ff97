import { NO_CAMPAIGN, sumByPart, sumByPeriod } from './counts.ts'
import { periodsOf, type ReadTable } from './range.ts'

const MAIL = { campaignId: NO_CAMPAIGN, measures: ['mail'] }
/** The outcome's place in a `part`, which has the template, the outcome and, after a failure, the reason. */
const OUTCOME_WORD = 2
const FAILURES = ['deferred', 'failed'] as const

export const readMail: ReadTable<'mail'> = async (db, _campaignId, range) => {
  const sums = await sumByPeriod(db, MAIL, range, { partWord: OUTCOME_WORD })
  return periodsOf(range).map((day) => {
    const count = (outcome: string) =>
      sums.find((sum) => sum.day === day && sum.part === outcome)?.amount ?? 0
    return { day, accepted: count('accepted'), deferred: count('deferred'), failed: count('failed') }
  })
}

/** The most frequent failures first. */
export const readMailReasons: ReadTable<'mailReasons'> = async (db, _campaignId, range) => {
  const sums = await sumByPart(db, MAIL, range)
  return sums
    .flatMap(({ part, amount: attempts }) => {
      const [template = '', outcomeWord, reason = ''] = part.split(' ')
      const outcome = FAILURES.find((failure) => failure === outcomeWord)
      return outcome ? [{ template, outcome, reason, attempts }] : []
    })
    .toSorted((a, b) => b.attempts - a.attempts)
}
