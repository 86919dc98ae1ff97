import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'

/** The outcome of a check. `could_not_tell` counts neither as fine nor as wrong. */
export type Outcome = 'fine' | 'wrong' | 'could_not_tell'

/** A sentence: in English, for the terminal alone, or in each language. */
export type Line = string | ((locale: Locale) => string)

export const inWords = (line: Line, locale: Locale = DEFAULT_LOCALE): string =>
  typeof line === 'string' ? line : line(locale)

export type Finding = {
  outcome: Outcome
  /** One line for `fine` and `could_not_tell`; for `wrong` one per problem, which also says what to do. */
  lines: readonly Line[]
  /** Worth knowing, and no reason to fail. */
  remarks: readonly Line[]
}

/** Everything that a finding says, in a language. */
export const textsOf = ({ lines, remarks }: Pick<Finding, 'lines' | 'remarks'>, locale?: Locale) => ({
  lines: lines.map((line) => inWords(line, locale)),
  remarks: remarks.map((remark) => inWords(remark, locale)),
})

const finding = (outcome: Outcome, lines: readonly Line[], remarks: readonly Line[] = []): Finding => ({
  outcome,
  lines,
  remarks,
})

export const fine = (line: Line, remarks?: readonly Line[]) => finding('fine', [line], remarks)
export const wrong = (lines: readonly Line[], remarks?: readonly Line[]) => finding('wrong', lines, remarks)
export const couldNotTell = (why: Line, remarks?: readonly Line[]) =>
  finding('could_not_tell', [why], remarks)

/** Wrong with these problems, or fine where there are none. */
export const judged = (problems: readonly Line[], line: Line, remarks?: readonly Line[]): Finding =>
  problems.length > 0 ? wrong(problems, remarks) : fine(line, remarks)
