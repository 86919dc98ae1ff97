import path from 'node:path'

/** A test with its duration in milliseconds. */
export type Timed = { name: string; file: string; ms: number }

/** A suite in Playwright's JSON report. */
export type Suite = {
  specs?: { title: string; file: string; tests: { results: { duration: number }[] }[] }[]
  suites?: Suite[]
}

/** The ten slowest tests, slowest first. */
export const slowestOf = (tests: readonly Timed[]): Timed[] =>
  tests.toSorted((one, other) => other.ms - one.ms).slice(0, 10)

/** Every run of a test in these suites and those within. */
export function timedOf({ specs = [], suites = [] }: Suite): Timed[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ duration }) => ({ name: title, file: path.join('e2e', file), ms: duration })),
    ),
  )
  return [...own, ...suites.flatMap(timedOf)]
}

/** One line each, with paths below `root`. */
export const describeSlowest = (tests: readonly Timed[], root: string): string[] =>
  tests.map(({ name, file, ms }) => {
    const seconds = (ms / 1_000).toFixed(1).padStart(7)
    return `${seconds} s  ${path.relative(root, path.resolve(root, file))}: ${name}`
  })
