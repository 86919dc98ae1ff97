import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { type ClaimsChanged, REVIEW_EVENTS_PATH } from '#contract/dashboard/review.ts'
import { announceClaim } from '../events/announce.ts'
import { createEventHub } from '../events/hub.ts'
import { eventSources } from '../events/sources.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import { endSessions, readCaller } from '../sessions/session.ts'
import { appeal } from '../claims/appeal.ts'
import { editClaim } from '../claims/submission/edit-claim.ts'
import { holdClaim, setRiskScore } from '../claims/decisions/hold-claim.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { bareApp } from '#server/testing/bare-app.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
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

/** A listening node with two administrators. */
async function node(t: TestContext, { readCaller: read = readCaller, ...options }: Options = {}) {
  // Closed before the database: an open stream holds a connection.
  const app = bareApp(t)
  const { db, pool, deps } = await testNode(t)
  const hub = createEventHub(eventSources({ deps, pool, readBlock: async () => undefined }), { lingerMs: 0 })
  app.addHook('preClose', async () => hub.close())
  addReviewEvents(app, hub, { readCaller: (sent) => read(db, sent), https: false, ...options })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const { port } = app.server.address() as AddressInfo
  const open = (member: TestUser, cookies: { cookie?: string } = {}) =>
    openStream(t, `http://127.0.0.1:${port}${REVIEW_EVENTS_PATH}`, { ...bearer(member), ...cookies })
  return { app, deps, db, adm, boss, open }
}

type Stream = Awaited<ReturnType<typeof openStream>>

const nextNews = async ({ hear }: Stream) => ((await hear('claims')) as ClaimsChanged).claims

test('publishes every changed claim, and nothing that was rolled back or changed nothing', async (t) => {
  const { deps, db, adm, boss, open } = await node(t)
  const stream = await open(adm)
  assert.deepEqual([stream.status, stream.headers['content-type']], [200, 'text/event-stream; charset=utf-8'])
  assert.equal(await nextNews(stream), null, 'the first event means that anything may have changed')
  // Publishes until the stream receives one: from then on no event is missed.
  const mark = newId()
  await until('the stream has received one', async () => {
    await announceClaim(db, mark)
    return (await nextNews(stream))?.includes(mark) ?? false
  })

  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  const reviewer = reviewerOn(deps, boss)
  const own = { userId: ann.id, claimId: id }
  const actions: [what: string, act: () => Promise<unknown>][] = [
    ['claimed', async () => {}],
    ['edited', () => editClaim(deps, { ...own, typed: freshProof() })],
    ['held', () => inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons: ['It was quick.'] }))],
    ['appealed', () => appeal(deps, { ...own, text: 'I type fast.' })],
    ['locked', () => reviewer.lock(id)],
    ['unlocked', () => reviewer.unlock(id)],
    ['approved', () => reviewer.approve(id, '2')],
    ['undone', () => reviewer.undo(id)],
    ['rejected', () => reviewer.reject(id, '', 'post_missing', '2')],
  ]
  for (const [what, act] of actions) {
    await act()
    assert.deepEqual(await nextNews(stream), [id], what)
  }
  const [ben] = await createUsers(db, deps.campaign.id, 1)
  const { _id: heldId } = await submitProof(deps, ben.id, freshProof())
  await nextNews(stream)
  await inTransaction(db, (tx) => holdClaim(tx, { claimId: heldId, reasons: ['It was quick.'] }))
  assert.deepEqual(await nextNews(stream), [heldId])
  // A held claim counts as risky whatever its score, so this changes nothing.
  await inTransaction(db, (tx) => setRiskScore(tx, heldId, 0))
  const undone = inTransaction(db, async (tx) => {
    await announceClaim(tx, newId())
    throw new Error('set by the test')
  })
  await assert.rejects(undone, /set by the test/)
  await announceClaim(db, mark)
  assert.deepEqual(await nextNews(stream), [mark])
})

test('serves administrators by bearer token alone; refuses cookies, queries and other methods', async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const ask = async (sent: Record<string, string>, query = '', method: 'GET' | 'POST' = 'GET') => {
    const headers = { host: 'localhost:3000', ...sent }
    const { status, body } = await api.inject({ method, url: REVIEW_EVENTS_PATH + query, headers })
    return [status, body.code]
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

test('replies 204 over the cap of the node or of one administrator, until a stream closes', async (t) => {
  const { adm, boss, open } = await node(t, { maxStreams: 3, maxPerAdministrator: 2 })
  const mine = [await open(adm), await open(adm)]
  assert.equal((await open(adm)).status, 204, 'the limit of one administrator')
  const theirs = await open(boss)
  assert.deepEqual([mine[0]?.status, mine[1]?.status, theirs.status], [200, 200, 200])
  assert.equal((await open(boss)).status, 204, 'the limit of the node')
  mine[0]?.close()
  await until('a stream is accepted again', async () => (await open(boss)).status === 200)
  assert.equal((await open(adm)).status, 204)
})

test('ends with the session, with the admin role or at a ban, but not while the database is unreachable', async (t) => {
  let isAway = false
  const { db, adm, boss, open } = await node(t, {
    pingIntervalMs: 5,
    readCaller: async (...sent) => {
      if (isAway) throw new Error('set by the test')
      return readCaller(...sent)
    },
  })
  const pinged = async ({ next }: Stream) => {
    for (;;) if ((await next()).comment === 'ping') return
  }
  // An open stream does not extend its session.
  const lastSeen = () => db.selectFrom('sessions').select('last_seen_at').orderBy('token_hash').execute()
  await sql`update sessions set last_seen_at = now() - interval '10 minutes'`.execute(db)
  const before = await lastSeen()
  const [stays, other] = [await open(boss), await open(adm)]
  isAway = true
  await pinged(stays)
  await pinged(stays)
  isAway = false
  await pinged(other)
  assert.deepEqual(await lastSeen(), before)

  // A session bound to a browser ends like any other.
  const binding = newToken()
  await sql`update sessions set binding_hash = ${hashToken(binding)} where user_id = ${adm.id}`.execute(db)
  await other.ended()
  assert.equal((await open(adm)).status, 401, 'without the cookie of its browser')
  const bound = await open(adm, { cookie: `binding=${binding}` })
  await pinged(bound)
  await pinged(bound)
  await endSessions(db, adm.id)
  await bound.ended()
  assert.equal((await open(adm)).status, 401)
  const left = [await open(boss), await open(boss)]
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', boss.id).execute()
  await Promise.all([stays, ...left].map(({ ended }) => ended()))
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', boss.id).execute()
  const last = await open(boss)
  await pinged(last)
  await db.updateTable('users').set({ banned_at: new Date() }).where('id', '=', boss.id).execute()
  await last.ended()
})
