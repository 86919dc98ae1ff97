import type { TestEvent } from 'node:test/reporters'

/** A reporter for `node --test` that writes nothing but the counts of the whole run, as JSON. */
export default async function* countReporter(events: AsyncIterable<TestEvent>) {
  for await (const event of events) {
    // Each file has a summary too; the one of the run names no file.
    if (event.type === 'test:summary' && event.data.file === undefined)
      yield JSON.stringify(event.data.counts)
  }
}
