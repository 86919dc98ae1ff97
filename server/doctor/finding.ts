/** What a check came to. `could_not_tell` is never a "fine" and never a "wrong". */
export type Outcome = 'fine' | 'wrong' | 'could_not_tell'

export type Finding = {
  outcome: Outcome
  /** One for `fine` and `could_not_tell`; for `wrong` one a problem, each with what to do. */
  lines: readonly string[]
  /** Worth knowing, and no reason to fail. */
  remarks: readonly string[]
}

export const fine = (line: string, remarks: readonly string[] = []): Finding => ({
  outcome: 'fine',
  lines: [line],
  remarks,
})

export const wrong = (lines: readonly string[], remarks: readonly string[] = []): Finding => ({
  outcome: 'wrong',
  lines,
  remarks,
})

export const couldNotTell = (why: string, remarks: readonly string[] = []): Finding => ({
  outcome: 'could_not_tell',
  lines: [why],
  remarks,
})

/** Wrong with these problems, or fine where there are none. */
export const judged = (problems: readonly string[], line: string, remarks: readonly string[] = []): Finding =>
  problems.length > 0 ? wrong(problems, remarks) : fine(line, remarks)
