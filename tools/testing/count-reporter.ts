import type { TestEvent } from 'node:test/reporters'

/** A reporter for `node --test` that writes only the counts of the whole run, as JSON. */
export default async function* countReporter(events: AsyncIterable<TestEvent>) {
  for await (const event of events) {
    // Files have summaries of their own; that of the run has no file name.
    if (event.type === 'test:summary' && event.data.file === undefined)
      yield JSON.stringify(event.data.counts)
  }
}
