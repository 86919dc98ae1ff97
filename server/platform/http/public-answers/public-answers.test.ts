import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnswer, type PublicAnswer } from './answer.ts'
import { createPublicAnswers, type Source } from './public-answers.ts'

const ABOUT = { type: 'text/plain', headers: {}, compression: 'fast' } as const
const answerOf = (text: string | number) => createAnswer(String(text), ABOUT)
const textOf = (answer: PublicAnswer | undefined) => answer?.variants.identity.full.body?.toString()

/** Public answers under a mocked clock. Their texts count the readings. */
function countReadings({ maxEntries = 100 } = {}) {
  const clock = { ms: 0 }
  let changes = 0
  const onExpire = () => (changes += 1)
  const answers = createPublicAnswers({ keepForMs: 1_000, maxEntries, onExpire, now: () => clock.ms })
  let readings = 0
  const source = (key = 'board', group = 'board') =>
    answers.source(key, group, async () => answerOf((readings += 1)))
  const ask = async (from: Source = source()) => textOf(from.current() ?? (await from.read()))
  return { clock, answers, source, ask, readings: () => readings, changes: () => changes }
}

/** A source whose readings the test ends one by one. */
function sourceOnDemand({ answers }: ReturnType<typeof countReadings>, key = 'board') {
  const readings: PromiseWithResolvers<PublicAnswer>[] = []
  const source = answers.source(key, 'board', () => {
    const reading = Promise.withResolvers<PublicAnswer>()
    readings.push(reading)
    return reading.promise
  })
  /** Ends the pending reading, or begins and ends one. */
  const endReading = async (text: string) => {
    const reading = source.read()
    readings.at(-1)?.resolve(await answerOf(text))
    await reading
  }
  return { source, readings, endReading }
}

test('an answer expires a second after its reading began, not after it ended', async () => {
  const cache = countReadings()
  const { source, endReading } = sourceOnDemand(cache)
  void source.read()
  cache.clock.ms = 600
  await endReading('old')
  assert.equal(textOf(source.current()), 'old')
  cache.clock.ms = 999
  assert.equal(textOf(source.current()), 'old')
  cache.clock.ms = 1_000
  assert.equal(source.current(), undefined)
})

test('an answer in demand is read again after 75 % of its second, and served meanwhile', async () => {
  const cache = countReadings()
  const { source, readings, endReading } = sourceOnDemand(cache)
  await endReading('old')
  cache.clock.ms = 749
  assert.equal(textOf(source.current()), 'old')
  assert.equal(readings.length, 1, 'too early to read again')
  cache.clock.ms = 750
  assert.deepEqual([textOf(source.current()), textOf(source.current())], ['old', 'old'])
  assert.equal(readings.length, 2)
  await endReading('new')
  cache.clock.ms = 1_749
  assert.equal(textOf(source.current()), 'new')
})

test('a failed early refresh is not repeated, and callers get the old answer until it expires', async () => {
  const cache = countReadings()
  const { source, readings, endReading } = sourceOnDemand(cache)
  await endReading('old')
  cache.clock.ms = 800
  assert.equal(textOf(source.current()), 'old')
  const second = source.read()
  readings[1]?.reject(new Error('away'))
  await assert.rejects(second, /away/)
  assert.equal(textOf(source.current()), 'old')
  assert.equal(readings.length, 2)
  cache.clock.ms = 1_000
  assert.equal(source.current(), undefined)
})

test('an answer whose reading began before a change is not served to later callers', async () => {
  const cache = countReadings()
  const { source, readings, endReading } = sourceOnDemand(cache)
  const old = source.read()
  cache.answers.expire(['board'])
  await endReading('new')
  assert.equal(readings.length, 2)
  readings[0]?.resolve(await answerOf('old'))
  assert.equal(textOf(await old), 'old', 'whoever asked before the change gets the old answer')
  assert.equal(textOf(source.current()), 'new')
  cache.answers.expire()
  assert.equal(source.current(), undefined)
})

test('a change of one group leaves the others, and calls back only if anything has changed', async () => {
  const { answers, ask, source, changes } = countReadings()
  const [board, campaign] = [source(), source('campaign', 'campaign')]
  assert.deepEqual([await ask(board), await ask(campaign)], ['1', '2'])
  answers.expire(['campaign'])
  assert.deepEqual([await ask(board), await ask(campaign)], ['1', '3'])
  answers.expire([])
  assert.deepEqual([await ask(board), await ask(campaign)], ['1', '3'])
  assert.equal(changes(), 1)
  answers.expire()
  assert.equal(changes(), 2)
})

test('made-up keys do not evict an answer in demand', async () => {
  const { ask, source, readings } = countReadings({ maxEntries: 10 })
  await ask(source('page 1'))
  await ask(source('page 1'))
  for (let page = 2; page < 100; page += 1) await ask(source(`page ${page}`))
  assert.equal(await ask(source('page 1')), '1')
  assert.equal(readings(), 99, 'each page was read once')
})

test('simultaneous calls share a reading even if no answer is kept', async () => {
  const answers = createPublicAnswers({ keepForMs: 0 })
  let readings = 0
  const source = answers.source('board', 'board', async () => answerOf((readings += 1)))
  await Promise.all([source.read(), source.read()])
  assert.equal(source.current(), undefined)
  assert.equal(readings, 1)
})
