import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { runSerially, watchEvents } from './watch-events.ts'

/** @returns the indexes of the chunks after which `onEvents` was called. */
async function findChunksWithEvents(chunks: readonly string[]): Promise<number[]> {
  const indexes: number[] = []
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  let lastIndex = -1
  const reading = watchEvents(readable, () => indexes.push(lastIndex))
  const writer = writable.getWriter()
  for (const chunk of chunks) {
    lastIndex += 1
    await writer.write(new TextEncoder().encode(chunk))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await writer.close()
  await reading
  return indexes
}

test('only events are noticed, even those that the network delivers in pieces', async () => {
  const event = 'event: claims\ndata: {"taskId":"7"}\n\n'
  for (let cut = 1; cut < event.length; cut += 1) {
    const halves = [event.slice(0, cut), event.slice(cut)]
    const indexes = await findChunksWithEvents([':\n\n', ...halves, ':\n\n'])
    assert.equal(indexes.length, 1, JSON.stringify(halves))
  }
  assert.deepEqual(await findChunksWithEvents([':\n\n', event + event, ': no data: here\n\n']), [1])
})

test('a list is refetched even if events arrive faster than the server replies', async (t) => {
  const queries = new QueryClient()
  let version = 0
  const pending: Array<() => void> = []
  const queryFn = () => {
    const answer = version
    return new Promise<number>((resolve) => pending.push(() => resolve(answer)))
  }
  const list = new QueryObserver<number>(queries, { queryKey: ['claims'], queryFn, initialData: version })
  t.after(list.subscribe(() => {}))
  const answerNext = async () => {
    pending.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  // The list fetches once when it is observed.
  await answerNext()

  const refetch = runSerially(() => queries.invalidateQueries({ queryKey: ['claims'] }))
  version = 1
  refetch()
  for (version = 2; version < 5; version += 1) {
    refetch()
    await answerNext()
    assert.equal(list.getCurrentResult().data, version - 1, 'the reply to the call before this change')
  }
  await answerNext()
  assert.equal(list.getCurrentResult().data, 4, 'the last change is not missed')
  assert.deepEqual(pending, [], 'no more refetches than needed')
})
