import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { type ClaimsChanged, REVIEW_EVENTS_PATH } from '#contract/dashboard/review.ts'
import { announceClaim } from '../events/announce.ts'
import { createEventHub } from '../events/hub.ts'
import { createEventSources } from '../events/sources.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { newId } from '#server/platform/database/ids.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import { endSessions, readCaller } from '../sessions/session.ts'
import { appeal } from '../claims/appeal.ts'
import { editClaim } from '../claims/submission/edit-claim.ts'
import { holdClaim, setRiskScore } from '../claims/decisions/hold-claim.ts'
import { releaseReviewLocksOf } from '../claims/decisions/review-lock.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { bareApp } from '#server/testing/bare-app.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { openStream } from '#server/testing/streams.ts'
import { until } from '#server/testing/until.ts'
import { addReviewEvents } from './events.ts'

type Options = {
  maxStreams?: number
  maxPerAdministrator?: number
  pingIntervalMs?: number
  readCaller?: typeof readCaller
}

const bearer = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })

async function startNode(t: TestContext, { readCaller: read = readCaller, ...options }: Options = {}) {
  // Created first, so that it closes before the database: an open stream holds a connection.
  const app = bareApp(t)
  const { db, pool, deps } = await testNode(t)
  const hub = createEventHub(createEventSources({ deps, pool, readBlock: async () => undefined }), {
    lingerMs: 0,
  })
  app.addHook('preClose', async () => hub.close())
  addReviewEvents(app, hub, {
    readCaller: (sent) => read(db, sent, { requiresSecondFactor: false }),
    isHttps: false,
    ...options,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const { port } = app.server.address() as AddressInfo
  const open = (member: TestUser, cookies: { cookie?: string } = {}) =>
    openStream(t, `http://127.0.0.1:${port}${REVIEW_EVENTS_PATH}`, { ...bearer(member), ...cookies })
  const openReady = async (member: TestUser) => {
    const stream = await open(member)
    assert.equal(stream.status, 200)
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(await hearClaims(stream), null, 'the first event means that anything may have changed')
    const published = newId()
    await until('the stream receives what is published', async () => {
      await announceClaim(db, published)
      return (await hearClaims(stream))?.includes(published) ?? false
    })
    return stream
  }
  return { deps, db, adm, boss, open, openReady }
}

type Stream = Awaited<ReturnType<typeof openStream>>

const hearClaims = async ({ hear }: Stream) => ((await hear('claims')) as ClaimsChanged).claims

const hearPing = async ({ next }: Stream) => {
  while ((await next()).comment !== 'ping');
}

const expireLocks = (db: Database) => db.updateTable('review_locks').set({ until: NOW }).execute()

test('publishes every change of a claim, and nothing for a call that changes none', async (t) => {
  const { deps, db, adm, boss, openReady } = await startNode(t)
  const stream = await openReady(adm)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  assert.deepEqual(await hearClaims(stream), [id], 'the claim itself')

  const reviewer = reviewerOn(deps, boss)
  const own = { userId: ann.id, claimId: id }
  const editedRevision = '2'
  const changes: [name: string, change: () => Promise<unknown>][] = [
    ['an edit', () => editClaim(deps, { ...own, proof: freshProof() })],
    ['a hold', () => inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons: ['It was quick.'] }))],
    ['an appeal', () => appeal(deps, { ...own, text: 'I type fast.' })],
    ['a lock', () => reviewer.lock(id)],
    ['its renewal after it has expired', () => expireLocks(db).then(() => reviewer.lock(id))],
    ['its release', () => reviewer.unlock(id)],
    ['another lock', () => reviewer.lock(id)],
    ['its release with the role', () => inTransaction(db, (tx) => releaseReviewLocksOf(tx, boss.id))],
    ['an approval', () => reviewer.approve(id, editedRevision)],
    ['an undo', () => reviewer.undo(id)],
    ['a rejection', () => reviewer.reject(id, { revision: editedRevision })],
  ]
  for (const [name, change] of changes) {
    await change()
    assert.deepEqual(await hearClaims(stream), [id], name)
  }
  // A claim that was once held has a risk of at least 1, so this changes nothing.
  await inTransaction(db, (tx) => setRiskScore(tx, id, 0))
  const next = newId()
  await announceClaim(db, next)
  assert.deepEqual(await hearClaims(stream), [next])
})

test('serves administrators by bearer token alone, without a query', async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const ask = async (sent: Record<string, string>, query = '', method: 'GET' | 'POST' = 'GET') => {
    const headers = { host: 'localhost:3000', ...sent }
    return refusalOf(await api.inject({ method, url: REVIEW_EVENTS_PATH + query, headers }))
  }
  const unauthenticated = [401, 'unauthenticated']
  assert.deepEqual(await ask({}), unauthenticated)
  assert.deepEqual(await ask({ authorization: 'Bearer x' }), unauthenticated)
  assert.deepEqual(await ask({ cookie: `token=${adm.token}` }), unauthenticated)
  assert.deepEqual(await ask({}, `?token=${adm.token}`), unauthenticated)
  assert.deepEqual(await ask(bearer(ann)), [403, 'forbidden'])
  assert.deepEqual(await ask(bearer(adm), '?topics=claims'), [400, 'invalid_input'])
  assert.deepEqual(await ask(bearer(adm), '', 'POST'), [404, 'not_found'])

  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const stream = await openStream(t, `http://127.0.0.1:${port}${REVIEW_EVENTS_PATH}`, bearer(adm))
  assert.equal(stream.status, 200)
  await Promise.all([api.app.close(), stream.ended()])
})

test('replies 204 at the limit of streams of an administrator or of the node, until a stream closes', async (t) => {
  const { adm, boss, open } = await startNode(t, { maxStreams: 3, maxPerAdministrator: 2 })
  const [first, second] = [await open(adm), await open(adm)]
  assert.equal((await open(adm)).status, 204, 'one administrator may have two streams')
  const third = await open(boss)
  for (const { status } of [first, second, third]) assert.equal(status, 200)
  assert.equal((await open(boss)).status, 204, 'the node may have three streams')
  first.close()
  await until('a stream is accepted again', async () => (await open(boss)).status === 200)
  assert.equal((await open(adm)).status, 204, 'the node is full again')
})

test('a stream does not extend its session, and stays open while the database is unreachable', async (t) => {
  let isUnreachable = false
  const checks = { done: 0, failed: 0 }
  const { db, adm, openReady } = await startNode(t, {
    pingIntervalMs: 5,
    readCaller: async (...sent) => {
      if (isUnreachable) {
        checks.failed += 1
        throw new Error('set by the test')
      }
      const caller = await readCaller(...sent)
      checks.done += 1
      return caller
    },
  })
  const readLastSeen = () => db.selectFrom('sessions').select('last_seen_at').orderBy('token_hash').execute()
  await sql`update sessions set last_seen_at = now() - interval '10 minutes'`.execute(db)
  const before = await readLastSeen()
  const stream = await openReady(adm)
  await until('the stream was checked after it was opened', () => checks.done >= 2)
  isUnreachable = true
  // A stream that has ended is not checked again.
  await until('the stream was checked twice', () => checks.failed >= 2)
  isUnreachable = false
  const changed = newId()
  await announceClaim(db, changed)
  await until('the open stream has the change', async () => {
    return (await hearClaims(stream))?.includes(changed) ?? false
  })
  assert.deepEqual(await readLastSeen(), before)
})

test('a stream ends when its session ends, even a session that is bound to a browser', async (t) => {
  const { db, adm, open } = await startNode(t, { pingIntervalMs: 5 })
  const unbound = await open(adm)
  await hearPing(unbound)
  const binding = newToken()
  await sql`update sessions set binding_hash = ${hashToken(binding)} where user_id = ${adm.id}`.execute(db)
  await unbound.ended()
  assert.equal((await open(adm)).status, 401, 'the cookie of the browser is required')
  const bound = await open(adm, { cookie: `binding=${binding}` })
  await hearPing(bound) // Each ping follows a check of the session.
  await hearPing(bound)
  await endSessions(db, adm.id)
  await bound.ended()
  assert.equal((await open(adm)).status, 401)
})

test('all streams of an administrator who loses the role or is banned end', async (t) => {
  const { db, adm, boss, open } = await startNode(t, { pingIntervalMs: 5 })
  for (const [reader, change] of [
    [boss, { role: 'user' }],
    [adm, { banned_at: new Date() }],
  ] as const) {
    const streams = [await open(reader), await open(reader)]
    await Promise.all(streams.map(hearPing))
    await db.updateTable('users').set(change).where('id', '=', reader.id).execute()
    await Promise.all(streams.map(({ ended }) => ended()))
  }
})
