import type { Examined } from './examine.ts'
import { inWords } from './finding.ts'
import { WORDS } from './words.ts'

const RANK = { fine: 0, could_not_tell: 1, wrong: 2 }

/** For people: a line for each check, problems last, and then once more as a list of what to do. */
export function reportLines(findings: readonly Examined[]): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const outcomeWidth = Math.max(...findings.map(({ outcome }) => WORDS.outcomes[outcome].length))
  const row = (name: string, outcome: string, line: string) =>
    `${name.padEnd(width)}  ${outcome.padEnd(outcomeWidth)}  ${line}`.trimEnd()
  const rows = findings
    .toSorted((a, b) => RANK[a.outcome] - RANK[b.outcome])
    .flatMap(({ name, outcome, lines, remarks }) => [
      ...lines.map((line, index) =>
        row(index === 0 ? name : '', index === 0 ? WORDS.outcomes[outcome] : '', inWords(line)),
      ),
      ...remarks.map((remark) => row('', WORDS.remark, inWords(remark))),
    ])
  const problems = findings
    .filter(({ outcome }) => outcome === 'wrong')
    .flatMap(({ name, lines }) => lines.map((line) => `${name}: ${inWords(line)}`))
  return [
    ...rows,
    '',
    WORDS.summary(problems.length, findings.filter(({ outcome }) => outcome === 'could_not_tell').length),
    ...problems.map((problem, index) => `${index + 1}. ${problem}`),
  ]
}

export const hasProblem = (findings: readonly Examined[]): boolean =>
  findings.some(({ outcome }) => outcome === 'wrong')
