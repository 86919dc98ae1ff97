import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { TokenCheck } from '#contract/token-proofs/proof.ts'
import { createJsonRpc } from '#contract/token-proofs/rpc.ts'
import { toAnsweredCall } from '#contract/token-proofs/rpc-answers.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { queuedMails } from '#server/testing/queued-mails.ts'
import { ROUNDS, twoNodes } from '#server/testing/database/races.ts'
import {
  advanceChecks,
  checkAt,
  checkWithoutAnswer,
  OWNED,
  REAL_TOKEN,
} from '#server/testing/builders/token-checks.ts'
import { runTokenCheck } from './run-token-check.ts'

/** `addresses` are of two administrators who get emails. A banned one and a participant get none. */
async function setUp(t: TestContext) {
  const [one, other] = await twoNodes(t, REAL_TOKEN)
  const { db } = one
  const [adm, boss, banned] = await createUsers(db, one.campaign.id, 3, { role: 'admin' })
  await createUsers(db, one.campaign.id, 1)
  await sql`update users set banned_at = now() where id = ${banned.id}`.execute(db)
  const checkWith = (check: TokenCheck, node = one) => runTokenCheck(node, async () => check)
  const nextMinute = () => advanceChecks(db, 60)
  return { one, other, db, checkWith, nextMinute, addresses: [adm.email, boss.email] }
}

const verdictsOf = async (db: Database, claim: string) => {
  const { rows } = await sql<{ verdict: string }>`
    select verdict from token_proof_changes where claim = ${claim} order by at, id`.execute(db)
  return rows.map(({ verdict }) => verdict)
}

test('after the clock is set back, checks go on, and rows of the history from the future do not count', async (t) => {
  const { db, checkWith, nextMinute } = await setUp(t)
  await checkWith(checkAt(1))
  await advanceChecks(db, -3_600)
  const owned = { ownership: OWNED }
  await checkWith(checkAt(2, owned))
  assert.deepEqual(await verdictsOf(db, 'ownership'), ['proven', 'not_so'])

  await sql`
    insert into token_proof_changes (id, token, claim, verdict, reason, at)
    select gen_random_uuid(), token, claim, 'could_not_check', '{"code": "old_block"}', at + interval '1 day'
    from token_proof_changes`.execute(db)
  const before = await verdictsOf(db, 'ownership')
  for (const block of [3, 4]) {
    await nextMinute()
    await checkWith(checkAt(block, owned))
  }
  assert.deepEqual(await verdictsOf(db, 'ownership'), before)
})

test('race: of two nodes, only one asks the chain in a minute', async (t) => {
  const { one, other, nextMinute } = await setUp(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ask = t.mock.fn(async () => checkAt(round))
    await Promise.all(Array.from({ length: 10 }, (_, index) => runTokenCheck(index % 2 ? one : other, ask)))
    assert.equal(ask.mock.callCount(), 1, `round ${round}`)
    await nextMinute()
  }
})

test('asks again after a minute, even if a node has exited without an answer', async (t) => {
  const { one, other, nextMinute, db } = await setUp(t)
  const ask = t.mock.fn(async () => checkWithoutAnswer())
  ask.mock.mockImplementationOnce(() => Promise.reject(new Error('The node exits.')))
  await assert.rejects(runTokenCheck(one, ask), /The node exits/)
  await runTokenCheck(other, ask)
  await advanceChecks(db, 59)
  await runTokenCheck(other, ask)
  assert.equal(ask.mock.callCount(), 1)
  await advanceChecks(db, 1)
  for (let times = 0; times < 2; times += 1) await runTokenCheck(other, ask)
  assert.equal(ask.mock.callCount(), 2)
  await nextMinute()
  await runTokenCheck(one, ask)
  assert.equal(ask.mock.callCount(), 3)
})

test('an answer does not count if it comes after another node has asked', async (t) => {
  const { one, other, nextMinute, checkWith, db } = await setUp(t)
  const late = Promise.withResolvers<TokenCheck>()
  const asking = Promise.withResolvers<void>()
  const slow = runTokenCheck(one, () => {
    asking.resolve()
    return late.promise
  })
  await asking.promise
  await nextMinute()
  await checkWith(checkAt(2, { ownership: OWNED }), other)
  late.resolve(checkAt(9))
  await slow
  assert.deepEqual(await verdictsOf(db, 'ownership'), ['not_so'])
})

test('a shutdown does not wait for the chain', async (t) => {
  const { one, db } = await setUp(t)
  const stopping = new AbortController()
  const asking = Promise.withResolvers<void>()
  const askInVain = () => {
    asking.resolve()
    return new Promise<never>(() => {})
  }
  const running = runTokenCheck(one, askInVain, stopping.signal)
  await asking.promise
  stopping.abort()
  await running
  assert.deepEqual(await verdictsOf(db, 'ownership'), [])
})

test('emails every administrator once about a change and once about the change back', async (t) => {
  const { checkWith, nextMinute, db, addresses, one, other } = await setUp(t)
  await checkWith(checkAt(1))
  assert.deepEqual(await queuedMails(db), [], 'the first verdict is no change')
  for (const node of [one, other, one]) {
    await nextMinute()
    await checkWith(checkAt(2, { ownership: OWNED }), node)
  }
  const mails = await queuedMails(db)
  assert.deepEqual(mails.map(({ to }) => to).toSorted(), addresses.toSorted())
  const values = { subject: 'PF, No owner', block: '2' }
  assert.partialDeepStrictEqual(mails[0], { template: 'proof-not-so', values })
  await nextMinute()
  await checkWith(checkAt(3))
  assert.equal((await queuedMails(db)).length, 4)
  const entries = await entriesOf(db, { action: 'proof.changed' })
  const recorded = entries.map(({ actor, before, after }) => ({ actor, before, after }))
  const claim = 'ownership'
  const [actor, proven, owned] = [null, { claim, verdict: 'proven' }, { claim, verdict: 'not_so' }]
  assert.deepEqual(recorded, [
    { actor, before: proven, after: { ...owned, reason: 'owned', block: 2 } },
    { actor, before: owned, after: { ...proven, reason: 'renounced', block: 3 } },
  ])
  assert.deepEqual(await verdictsOf(db, 'ownership'), ['proven', 'not_so', 'proven'])
  assert.deepEqual(await verdictsOf(db, 'tax'), ['proven'])
})

test('logs an outage without the message of the RPC node', async (t) => {
  const { one, nextMinute } = await setUp(t)
  const { log, lines, text } = logLines()
  const checkWith = (check: TokenCheck) => runTokenCheck({ ...one, log }, async () => check)
  await checkWith(checkAt(1))
  assert.deepEqual(lines(), [], 'nothing is logged while the node answers')
  await nextMinute()
  const message = 'The key k-123 is over its limit'
  const failure = { kind: 'error', code: -32_005, message, data: undefined } as const
  await checkWith(checkAt(2, { tax: { code: 'no_answer', method: 'eth_call', failure } }))
  const [line, ...others] = lines()
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(line, {
    msg: 'the chain could not be asked about the token',
    claims: ['tax'],
    reason: 'no_answer',
    answer: 'answered with error -32005',
  })
  assert.doesNotMatch(text(), /k-123/)
})

test('stores what an RPC node says, without NUL and lone surrogates', async (t) => {
  const { db, checkWith } = await setUp(t)
  const message = `\0execution reverted: ${'🦊'.repeat(120)}`
  const post = (entry: object) => async () => ({
    status: 200,
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...entry }),
  })
  const call = { method: 'eth_call', params: [] }
  const [failed] = await createJsonRpc(post({ error: { code: -32_000, message } }))([call])
  assert.ok(failed && 'failure' in failed)
  // Answers are truncated. In one of these two, the cut is between the two surrogates of a fox.
  const asked = ['', ' '].map((start) => toAnsweredCall({ call, reply: { result: start + message } }))
  const check = checkAt(1, { tax: { code: 'no_answer', method: 'eth_call', failure: failed.failure } })
  await checkWith({ ...check, proofs: check.proofs.map((proof) => ({ ...proof, asked })) })
  assert.deepEqual(await verdictsOf(db, 'tax'), ['could_not_check'])
})

test('verdict, history, journal and emails are written together or not at all', async (t) => {
  const { one, checkWith, nextMinute, db } = await setUp(t)
  await checkWith(checkAt(1))
  await nextMinute()
  const changed = checkAt(2, { ownership: OWNED })
  let emails = 0
  // The emails are written last. Each administrator gets one.
  const failing = db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'RawNode' && /insert into jobs/.test(node.sqlFragments.join())) emails += 1
      if (emails === 2) throw new Error('The second email fails.')
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  await assert.rejects(checkWith(changed, { ...one, db: failing }), /The second email fails/)
  assert.deepEqual(await verdictsOf(db, 'ownership'), ['proven'])
  assert.deepEqual(await queuedMails(db), [])
  assert.deepEqual(await entriesOf(db, { action: 'proof.changed' }), [])
  await nextMinute()
  await checkWith(changed)
  assert.equal((await queuedMails(db)).length, 2)
})
