import { EventEmitter, on } from 'node:events'
import { test } from 'node:test'
import { createHttpClient } from '../platform/http-client.ts'
import { startAnvil } from '../testing/anvil.ts'
import { createChainClient } from './client.ts'
import { watchChain } from './heartbeat.ts'

test('beats with each block of a real chain, rests when it is gone, and beats again when it is back', async (t) => {
  let chain = await startAnvil()
  t.after(() => chain.stop())
  const { url } = chain
  const read = createChainClient(createHttpClient({ allow: [url], now: hurriedClock() }), url)
  const { told, hear } = listener()
  t.after(watchChain(read, ({ block }) => told(block), { intervalMs: 5 }))

  await hear(0)
  for (const block of [1, 2, 3]) {
    await chain.mine(1)
    await hear(block)
  }
  await chain.mine(366)
  await hear(369)

  await chain.stop()
  await hear(null)

  // It starts over: a chain that went back is followed too.
  chain = await startAnvil({ port: new URL(url).port })
  await hear(0)
  await chain.mine(1)
  await hear(1)
})

/** The outbound client leaves a service alone for half a minute after failures; here that is over at once. */
function hurriedClock() {
  let now = 0
  return () => (now += 60_000)
}

/** `hear` waits until a block is told. */
function listener() {
  const news = new EventEmitter()
  const blocks = on(news, 'block')
  return {
    told: (block: number | null) => void news.emit('block', block),
    async hear(wanted: number | null) {
      for (;;) {
        const { value } = (await blocks.next()) as { value: [number | null] }
        if (value[0] === wanted) return
      }
    },
  }
}
