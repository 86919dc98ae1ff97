import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEvent } from './for-each-event.ts'

/** @returns after which of the chunks `onEvents` was called. */
async function chunksWithEvents(chunks: readonly string[]): Promise<number[]> {
  const seen: number[] = []
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  let sent = -1
  const reading = forEachEvent(readable, () => seen.push(sent))
  const writer = writable.getWriter()
  for (const chunk of chunks) {
    sent += 1
    await writer.write(new TextEncoder().encode(chunk))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await writer.close()
  await reading
  return seen
}

test('an event is noticed wherever the network cuts it, and pings are no events', async () => {
  const event = 'event: claims\ndata: {"taskId":"7"}\n\n'
  for (let cut = 1; cut < event.length; cut += 1) {
    const seen = await chunksWithEvents([':\n\n', event.slice(0, cut), event.slice(cut), ':\n\n'])
    assert.equal(seen.length, 1, JSON.stringify([event.slice(0, cut), event.slice(cut)]))
  }
  assert.deepEqual(await chunksWithEvents([':\n\n', event + event, ': no data: here\n\n']), [1])
})
