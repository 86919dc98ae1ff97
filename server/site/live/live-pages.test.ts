import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublishedHead } from '#contract/journal.ts'
import campaign from '#server/testing/campaign.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import { staleWhenSlow, type Live, livePage } from './live-pages.ts'

const PAGE = { type: 'text/html', headers: {}, compression: 'fast' } as const

test('a page is rendered once for what it shows, also for visitors who come at the same time', async () => {
  const heads: PublishedHead[] = []
  const open = { stage: 'open', paused: null, minutesLeft: null, results: null } as const
  const over = { ...open, stage: 'paying' } as const
  let live: Live = { campaign, heads, life: open }
  let rendered = 0
  const read = livePage(
    async () => ({ ...live }),
    () => {
      rendered += 1
      return createAnswer(`page ${rendered}`, PAGE)
    },
  )
  const together = await Promise.all([read(), read(), read()])
  assert.equal(new Set(together).size, 1)
  assert.equal(await read(), together[0])
  assert.equal(rendered, 1)
  live = { campaign, heads, life: over }
  assert.notEqual(await read(), together[0])
  live = { campaign, heads: [], life: over }
  await read()
  live = { ...live, proofs: [] }
  await Promise.all([read(), read()])
  assert.equal(rendered, 4)
  live = { ...live, campaign: { ...campaign } }
  await Promise.all([read(), read()])
  assert.equal(rendered, 5)
})

test('a page whose rendering failed is rendered again for the next visitor, though nothing has changed', async () => {
  const live: Live = { campaign }
  let attempts = 0
  const read = livePage(
    async () => live,
    async () => {
      attempts += 1
      if (attempts === 1) throw new Error('a build is replacing the renderer')
      return createAnswer('page', PAGE)
    },
  )
  const together = await Promise.allSettled([read(), read()])
  assert.deepEqual(
    together.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const page = await read()
  assert.equal(await read(), page)
  assert.equal(attempts, 2)
})

test('a page waits for a reading, but not for one that takes too long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const readings: PromiseWithResolvers<string>[] = []
  const read = staleWhenSlow(() => {
    const reading = Promise.withResolvers<string>()
    readings.push(reading)
    return reading.promise
  }, 300)
  const first = read()
  t.mock.timers.tick(10_000)
  readings[0]?.resolve('one')
  assert.equal(await first, 'one', 'there is nothing to show before the first reading')

  const second = read()
  readings[1]?.resolve('two')
  assert.equal(await second, 'two')

  const third = read()
  t.mock.timers.tick(300)
  assert.equal(await third, 'two')
  readings[2]?.resolve('three')
  await readings[2]?.promise

  const fourth = read()
  t.mock.timers.tick(300)
  assert.equal(await fourth, 'three', 'what came late is shown next')
})
