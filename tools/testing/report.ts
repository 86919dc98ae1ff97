import type { TestEvent } from 'node:test/reporters'
import path from 'node:path'

export type TimedTest = { name: string; file: string; ms: number }

/** A suite in Playwright's JSON report. */
export type Suite = {
  specs?: { title: string; file: string; tests: { results: { duration: number }[] }[] }[]
  suites?: Suite[]
}

/** The ten slowest tests, slowest first. */
export const slowestOf = (tests: readonly TimedTest[]): TimedTest[] =>
  tests.toSorted((one, other) => other.ms - one.ms).slice(0, 10)

/** A reporter for `node --test` that writes only the whole run's counts and its slowest tests, as JSON. */
export default async function* countReporter(events: AsyncIterable<TestEvent>) {
  const tests: TimedTest[] = []
  for await (const event of events) {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { name, file = '', details } = event.data
      if (details.type !== 'suite') tests.push({ name, file, ms: details.duration_ms })
    }
    // Each file has a summary. The run's summary has no file name.
    if (event.type === 'test:summary' && event.data.file === undefined)
      yield JSON.stringify({ ...event.data.counts, slowest: slowestOf(tests) })
  }
}

/** All test runs in a suite, including its nested suites. */
export function timedTestsIn({ specs = [], suites = [] }: Suite): TimedTest[] {
  const direct = specs.flatMap(({ title, file, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ duration }) => ({ name: title, file: path.join('e2e', file), ms: duration })),
    ),
  )
  return [...direct, ...suites.flatMap(timedTestsIn)]
}

/** One line per test, with paths relative to `root`. */
export const describeSlowest = (tests: readonly TimedTest[], root: string): string[] =>
  tests.map(({ name, file, ms }) => {
    const seconds = (ms / 1_000).toFixed(1).padStart(7)
    return `${seconds} s  ${path.relative(root, path.resolve(root, file))}: ${name}`
  })
