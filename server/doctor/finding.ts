import type { DeploymentFinding } from '#contract/dashboard/deployment.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'

/** A sentence: a string in English, for the terminal alone, or a function that gives it in any language. */
export type Line = string | ((locale: Locale) => string)
type Lines = readonly Line[]

export const inWords = (line: Line, locale: Locale = DEFAULT_LOCALE): string =>
  typeof line === 'string' ? line : line(locale)

export type Finding = {
  outcome: DeploymentFinding['outcome']
  /** One line for `fine` and `could_not_tell`; for `wrong` one per problem, which also says what to do. */
  lines: Lines
  /** What is worth knowing but no problem. */
  remarks: Lines
}

/** Everything that a finding says, in a language. */
export const textsOf = ({ lines, remarks }: Pick<Finding, 'lines' | 'remarks'>, locale?: Locale) => ({
  lines: lines.map((line) => inWords(line, locale)),
  remarks: remarks.map((remark) => inWords(remark, locale)),
})

function finding(outcome: Finding['outcome'], lines: Lines, remarks: Lines = []): Finding {
  return { outcome, lines, remarks }
}

export const fine = (line: Line, remarks?: Lines) => finding('fine', [line], remarks)
export const wrong = (lines: Lines, remarks?: Lines) => finding('wrong', lines, remarks)
export const couldNotTell = (why: Line, remarks?: Lines) => finding('could_not_tell', [why], remarks)

/** Wrong with these problems, or fine with this line where there are none. */
export const judged = (problems: Lines, line: Line, remarks?: Lines): Finding =>
  problems.length > 0 ? wrong(problems, remarks) : fine(line, remarks)
