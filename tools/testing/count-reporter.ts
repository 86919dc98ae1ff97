import type { TestEvent } from 'node:test/reporters'
import { slowestOf, type Timed } from './slowest.ts'

/**
 * A reporter for `node --test` that writes only the counts of the whole run and its slowest tests, as JSON.
 */
export default async function* countReporter(events: AsyncIterable<TestEvent>) {
  const tests: Timed[] = []
  for await (const event of events) {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { name, file = '', details } = event.data
      if (details.type !== 'suite') tests.push({ name, file, ms: details.duration_ms })
    }
    // Files have summaries of their own; that of the run has no file name.
    if (event.type === 'test:summary' && event.data.file === undefined)
      yield JSON.stringify({ ...event.data.counts, slowest: slowestOf(tests) })
  }
}
