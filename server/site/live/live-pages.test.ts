import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { phaseOf } from '#contract/phase.ts'
import { siteWithoutDatabase, startSite } from '#server/testing/builders/site.ts'
import campaign from '#server/testing/campaign.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import { staleWhenSlow, type Live, livePage } from './live-pages.ts'

const PAGE = { type: 'text/html', headers: {}, compression: 'fast' } as const

test('a page is rendered once until it changes, even for simultaneous visitors', async () => {
  const { read, countRenderings } = countingPage({ campaign })
  const [page, ...others] = await Promise.all([read(), read(), read()])
  assert.deepEqual(others, [page, page])
  assert.equal(await read(), page)
  assert.equal(countRenderings(), 1)
})

test('a page is rendered again when any value that it shows is another object', async () => {
  const life = { stage: 'open', paused: null, minutesLeft: null, results: null } as const
  const { read, countRenderings, change } = countingPage({ campaign, heads: [], life })
  const pages = new Set([await read()])
  const changes: Partial<Live>[] = [
    { life: { ...life } },
    { heads: [] },
    { proofs: [] },
    { archive: [] },
    { campaign: { ...campaign } },
  ]
  for (const changed of changes) {
    change(changed)
    for (const page of await Promise.all([read(), read()])) pages.add(page)
  }
  assert.equal(pages.size, 1 + changes.length)
  assert.equal(countRenderings(), pages.size)
})

function countingPage(initial: Live) {
  let live = initial
  let renderings = 0
  const render = () => {
    renderings += 1
    return createAnswer(`page ${renderings}`, PAGE)
  }
  return {
    read: livePage(async () => ({ ...live }), render),
    countRenderings: () => renderings,
    change: (changes: Partial<Live>) => {
      live = { ...live, ...changes }
    },
  }
}

test('a page is rendered again for the next visitor if its rendering failed', async () => {
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
  const outcomes = together.map(({ status }) => status)
  assert.deepEqual(outcomes, ['rejected', 'rejected'])
  const page = await read()
  assert.equal(await read(), page)
  assert.equal(attempts, 2)
})

/** `read` is a `staleWhenSlow` reader. `complete(2, value)` completes its second reading. */
function slowReadings(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const readings: PromiseWithResolvers<string>[] = []
  const read = staleWhenSlow(() => {
    const reading = Promise.withResolvers<string>()
    readings.push(reading)
    return reading.promise
  })
  const complete = async (number: number, value: string) => {
    readings[number - 1]?.resolve(value)
    await readings[number - 1]?.promise
  }
  return { read, complete }
}

test('a page waits for its first reading, however long it takes', async (t) => {
  const { read, complete } = slowReadings(t)
  const first = read()
  t.mock.timers.tick(10_000)
  await complete(1, 'one')
  assert.equal(await first, 'one')
})

test('a page shows the last reading while a new one is slow, and the new one the next time', async (t) => {
  const { read, complete } = slowReadings(t)
  const first = read()
  await complete(1, 'one')
  assert.equal(await first, 'one')

  const second = read()
  await complete(2, 'two')
  assert.equal(await second, 'two', 'a reading in time replaces the last one')

  const third = read()
  t.mock.timers.tick(300) // from now on, the reading is slow
  assert.equal(await third, 'two')
  await complete(3, 'three')

  const fourth = read()
  t.mock.timers.tick(300)
  assert.equal(await fourth, 'three')
})

const OPENS = '2027-01-31T12:00:00Z'
const CLOSES = '2027-03-01T00:00:00+02:00'
const airdrop = { ...campaign.airdrop, opensAt: OPENS, closesAt: CLOSES }

test('a phase begins at its exact moment, whatever the time zone in the settings', () => {
  const at = (iso: string) => phaseOf(airdrop, Date.parse(iso))
  assert.equal(at('2027-01-31T11:59:59.999Z'), 'before')
  assert.equal(at(OPENS), 'open')
  assert.equal(at('2027-02-28T21:59:59.999Z'), 'open')
  assert.equal(at('2027-02-28T22:00:00Z'), 'after')
  assert.equal(phaseOf({ opensAt: OPENS, closesAt: null }, Date.parse('2099-01-01T00:00:00Z')), 'open')
})

test('the home page follows the campaign’s phases without a restart', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T00:00:00Z') })
  const { get } = await startSite(t, siteWithoutDatabase({ ...campaign, airdrop }))
  const readHome = async () => {
    const { body, headers } = await get('/')
    const ticket = body.slice(body.indexOf('class="offer"'))
    return { etag: headers['etag'], text: ticket.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') }
  }
  const before = await readHome()
  assert.match(
    before.text,
    /Not open yet Opens on 31 January 2027, 12:00 UTC \. 30 days 12 hours 0 minutes See the airdrop/,
  )
  assert.doesNotMatch(before.text, /Open the airdrop/)

  t.mock.timers.setTime(Date.parse(OPENS))
  const open = await readHome()
  assert.match(open.text, /Open until 28 February 2027, 22:00 UTC \. Open the airdrop/)
  assert.match(open.text, /First come, first served\. Every proof/)
  assert.doesNotMatch(open.text, /Not open yet|Closed/)

  t.mock.timers.setTime(Date.parse(CLOSES))
  const after = await readHome()
  assert.match(after.text, /Closed Closed on 28 February 2027, 22:00 UTC \. See the leaderboard/)
  assert.doesNotMatch(after.text, /First come, first served\. Every proof|Open the airdrop/)

  assert.equal(new Set([before.etag, open.etag, after.etag]).size, 3)
  assert.deepEqual(await readHome(), after)
})
