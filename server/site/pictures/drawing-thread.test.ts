import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { EXAMPLE_CARD } from '#server/testing/builders/site.ts'
import { createDrawingThread, type Drawn } from './drawing-thread.ts'
import type { Drawing, DrawingJob } from './pictures.ts'

const jobOf = (...drawings: Drawing[]): DrawingJob => ({ drawings, dataUrls: {} })
const cardOf = (headline: string): Drawing => ({ url: headline, card: { ...EXAMPLE_CARD, headline } })
/** Much faster than a card, for which the fonts are loaded. */
const iconOf = (url: string): Drawing => ({ url, icon: { size: 16, coverage: 1, onPaper: false } })
/** Lacks the texts that a drawing needs. */
const BROKEN = { url: 'broken', card: { locale: 'en' } } as unknown as Drawing

function threadFor(t: TestContext, keepForMs = 60_000) {
  const thread = createDrawingThread(keepForMs)
  t.after(() => thread.close())
  const draw = async (job: DrawingJob) => {
    const drawn: Drawn[] = []
    await thread.draw(job, (picture) => drawn.push(picture))
    return drawn
  }
  return { thread, draw }
}

test('after a failed job, simultaneous jobs are drawn, each for its own caller', async (t) => {
  const { draw } = threadFor(t)
  await assert.rejects(draw(jobOf(iconOf('a'), BROKEN)))
  const [both, other] = await Promise.all([draw(jobOf(iconOf('a'), iconOf('b'))), draw(jobOf(iconOf('c')))])
  const urls = [both, other].map((drawn) => drawn?.map(({ url }) => url))
  assert.deepEqual(urls, [['a', 'b'], ['c']])
})

test('a card looks the same, whatever the thread has drawn before', async (t) => {
  const { draw } = threadFor(t)
  await draw(jobOf(cardOf('привет')))
  // The thread lacks the characters of the first headline, which include that of the second.
  for (const headline of ['日本', '日']) {
    const [after] = await draw(jobOf(cardOf(headline)))
    const [first] = await threadFor(t).draw(jobOf(cardOf(headline)))
    assert.ok(first && after && Buffer.from(after.png).equals(first.png), headline)
  }
})

test('a thread that has ended starts again', async (t) => {
  const { draw } = threadFor(t, 0)
  for (const url of ['a', 'b']) {
    assert.equal((await draw(jobOf(iconOf(url)))).length, 1)
    // Timers with the same delay fire in order, so the timer that ends the thread fires first.
    await new Promise((resolve) => setTimeout(resolve))
  }
})

test('closing rejects jobs in progress and later jobs', async (t) => {
  const { thread, draw } = threadFor(t)
  const drawing = assert.rejects(draw(jobOf(iconOf('a'))), /ended with code/)
  await thread.close()
  await drawing
  await assert.rejects(draw(jobOf(iconOf('b'))), /closing/)
})
