import { EventEmitter, on } from 'node:events'
import { test } from 'node:test'
import { createHttpClient } from '#server/platform/http-client.ts'
import { startAnvil } from '#server/testing/fakes/anvil.ts'
import { createChainClient } from './client.ts'
import { watchChain } from './heartbeat.ts'
import { createChainRpc } from './rpc.ts'

test('publishes each block of a real chain, null while it is down, and blocks again once it is back', async (t) => {
  let chain = await startAnvil()
  t.after(() => chain.stop())
  const { url } = chain
  const read = createChainClient(
    createChainRpc(createHttpClient({ allow: [url], now: fastClock() }), url, 369),
  )
  const { publish, waitFor } = listener()
  t.after(watchChain(read, ({ block }) => publish(block), { intervalMs: 5 }))

  await waitFor(0)
  for (const block of [1, 2, 3]) {
    await chain.mine(1)
    await waitFor(block)
  }
  await chain.mine(366)
  await waitFor(369)

  await chain.stop()
  await waitFor(null)

  // The new chain starts from zero.
  chain = await startAnvil({ port: new URL(url).port })
  await waitFor(0)
  await chain.mine(1)
  await waitFor(1)
})

/** Closes the circuit breaker at once: every reading is a minute later. */
function fastClock() {
  let now = 0
  return () => (now += 60_000)
}

/** `waitFor` resolves once the block is published. */
function listener() {
  const news = new EventEmitter()
  const blocks = on(news, 'block')
  return {
    publish: (block: number | null) => void news.emit('block', block),
    async waitFor(wanted: number | null) {
      for (;;) {
        const { value } = (await blocks.next()) as { value: [number | null] }
        if (value[0] === wanted) return
      }
    },
  }
}
