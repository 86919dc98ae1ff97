import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { tokenPairs } from '#contract/market.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { testApi } from '#server/testing/api.ts'
import campaign from '#server/testing/campaign.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { deadAddress, serveStub } from '#server/testing/fakes/http-stub.ts'
import { createPriceClient } from './client.ts'
import { createPriceReader } from './read-price.ts'

const CONTRACT = '0xaA2B34FEc4e264aB91D2FEC61Cce1FB85AAcFb9a'
const GOOD = JSON.stringify({
  schemaVersion: '1.0.0',
  pairs: [
    { chainId: 'ethereum', baseToken: { address: CONTRACT }, priceUsd: '77', liquidity: { usd: 9e9 } },
    { chainId: 'pulsechain', baseToken: { address: CONTRACT }, priceUsd: '0.0012', liquidity: { usd: 50 } },
  ],
})

/** Milliseconds: ample for a service that answers, short for one that hangs. */
const TIMEOUTS = { answers: 20_000, hangs: 300 }

/** Two readers of one node: `hastyRead` gives up soon, for a service that hangs. */
async function setUpNode(db: Database, base: string) {
  const deps = await testDeps(db)
  const readWithin = (timeoutMs: number) => {
    const http = createHttpClient({ allow: [base], timeoutMs })
    return createPriceReader(deps, createPriceClient(http, base, deps.campaign))
  }
  return { read: readWithin(TIMEOUTS.answers), hastyRead: readWithin(TIMEOUTS.hangs) }
}

async function setUpNodeWithStub(t: TestContext, answer: RequestListener) {
  const { db, pool } = await testDatabase(t)
  const stub = { answer, urls: [] as (string | undefined)[] }
  const base = await serveStub(t, (request, response) => {
    stub.urls.push(request.url)
    stub.answer(request, response)
  })
  return { ...(await setUpNode(db, base)), db, pool, stub, base }
}

const age = (db: Database, seconds: number) =>
  sql`update market_prices set asked_at = asked_at - make_interval(secs => ${seconds}),
    answered_at = answered_at - make_interval(secs => ${seconds})`.execute(db)

const good: RequestListener = (_request, response) => void response.end(GOOD)
const priceOf = (pairs: { priceUsd: string | null }[] | null) => pairs?.[0]?.priceUsd ?? null

test('makes one request a minute, even for fifty concurrent visitors', async (t) => {
  const { read, stub, db } = await setUpNodeWithStub(t, good)
  const prices = await Promise.all(Array.from({ length: 50 }, read))
  assert.deepEqual(new Set(prices.map(priceOf)), new Set(['0.0012']))
  assert.deepEqual(stub.urls, [`/latest/dex/tokens/${CONTRACT}`])
  await age(db, 30)
  await read()
  assert.equal(stub.urls.length, 1)
  await age(db, 30)
  stub.answer = (_request, response) => void response.end(GOOD.replace('0.0012', '0.0013'))
  assert.equal(priceOf(await read()), '0.0013')
  assert.equal(stub.urls.length, 2)
})

test('asks again at once after the database’s clock was set back', async (t) => {
  const { read, stub, db } = await setUpNodeWithStub(t, good)
  await read()
  stub.answer = (_request, response) => void response.end(GOOD.replace('0.0012', '0.0013'))
  await age(db, -3_600)
  assert.equal(priceOf(await read()), '0.0013')
  await age(db, -3_600)
  await sql`update market_prices set answered_at = null, pairs = null`.execute(db) // as if unanswered
  assert.equal(priceOf(await read()), '0.0013')
  assert.equal(stub.urls.length, 3)
})

test('makes one request for two nodes: the second node waits for the first node’s answer', async (t) => {
  const asked = Promise.withResolvers<ServerResponse>()
  const { read, stub, db, base } = await setUpNodeWithStub(t, (_request, response) => asked.resolve(response))
  const first = read()
  const response = await asked.promise
  const { read: readOnOther } = await setUpNode(db, base)
  const others = Promise.all(Array.from({ length: 10 }, readOnOther))
  response.end(GOOD)
  assert.equal(priceOf(await first), '0.0012')
  assert.deepEqual(new Set((await others).map(priceOf)), new Set(['0.0012']))
  assert.equal(stub.urls.length, 1)
})

test('serves the cached price without waiting for a pending request', async (t) => {
  const { read, hastyRead, stub, db, base } = await setUpNodeWithStub(t, good)
  await read()
  await age(db, 60)
  const arrived = Promise.withResolvers<void>()
  stub.answer = () => arrived.resolve()
  const slow = hastyRead()
  await arrived.promise
  const { read: readOnOther } = await setUpNode(db, base)
  assert.equal(priceOf(await readOnOther()), '0.0012')
  assert.equal(priceOf(await slow), '0.0012')
})

const HANGS: Record<string, RequestListener> = {
  silence: () => {},
  'a hang in the middle': (_request, response) => void response.write('{"pairs":['),
}
const FAULTS: Record<string, RequestListener> = {
  ...HANGS,
  'status 500': (_request, response) => void response.writeHead(500).end(GOOD),
  'status 404': (_request, response) => void response.writeHead(404).end('{}'),
  'half of the JSON': (_request, response) => void response.end(GOOD.slice(0, 80)),
  'a cut connection': (_request, response) => void response.destroy(),
  'another shape': (_request, response) => void response.end('[1,2]'),
}

test('a reply that is an error, cut off, late or of another shape is unclear', async (t) => {
  const { stub, base } = await setUpNodeWithStub(t, good)
  for (const [name, fault] of Object.entries(FAULTS)) {
    stub.answer = fault
    const timeoutMs = name in HANGS ? TIMEOUTS.hangs : TIMEOUTS.answers
    const http = createHttpClient({ allow: [base], timeoutMs })
    assert.ok('unclear' in (await createPriceClient(http, base, campaign)()), name)
  }
})

test('after an unclear reply, serves the last price for five minutes and then none, with one request a minute', async (t) => {
  const { read, stub, db } = await setUpNodeWithStub(t, good)
  await read()
  stub.answer = (_request, response) => void response.writeHead(500).end(GOOD)
  await age(db, 60)
  assert.equal(priceOf(await read()), '0.0012')
  assert.equal(stub.urls.length, 2)
  // The answer is four and a half minutes old, then more than five, within a minute of the last request.
  await age(db, 210)
  assert.equal(priceOf(await read()), '0.0012')
  await age(db, 40)
  assert.equal(await read(), null)
  const failed = await sql`select from market_prices where failed_at >= asked_at`.execute(db)
  assert.equal(failed.rows.length, 1, 'nobody waits for the request that failed')
  await Promise.all(Array.from({ length: 20 }, read))
  assert.equal(stub.urls.length, 3)
  stub.answer = good
  await age(db, 60)
  assert.equal(priceOf(await read()), '0.0012')
})

test('after a reply without a usable pair, there is no price', async (t) => {
  const { read, stub, db } = await setUpNodeWithStub(t, good)
  for (const reply of ['{"pairs":null}', '{"pairs":[]}', '{"pairs":[{"priceUsd":"NaN"}]}']) {
    stub.answer = good
    await age(db, 60)
    assert.equal(priceOf(await read()), '0.0012')
    stub.answer = (_request, response) => void response.end(reply)
    await age(db, 60)
    assert.equal(await read(), null, reply)
  }
})

test('returns null if the price service or the database is down', async (t) => {
  const { db, pool } = await testDatabase(t)
  const { read } = await setUpNode(db, await deadAddress(t))
  assert.equal(await read(), null)
  t.mock.method(pool, 'connect', () => Promise.reject(new Error('Connection terminated unexpectedly')))
  assert.equal(await read(), null)
})

test('GET /latest/dex/tokens/:contract answers for our token in upper or lower case, and for no other', async (t) => {
  const { call } = await testApi(t)
  const ask = (contract: string) => call(tokenPairs, { params: { contract } })
  for (const contract of [CONTRACT, CONTRACT.toLowerCase(), CONTRACT.toUpperCase()])
    assert.equal((await ask(contract)).status, 200, contract)
  assert.deepEqual(refusalOf(await ask(CONTRACT.replace('aA', 'bb'))), [404, 'unknown_contract'])
})
