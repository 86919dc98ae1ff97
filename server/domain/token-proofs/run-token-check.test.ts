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
import { ROUNDS, twoNodes } from '#server/testing/races.ts'
import { checkOf, checkWithoutAnswer, OWNED, REAL_TOKEN } from '#server/testing/builders/token-checks.ts'
import { runTokenCheck } from './run-token-check.ts'

async function setUp(t: TestContext) {
  const [one, other] = await twoNodes(t, REAL_TOKEN)
  const { db } = one
  const [adm, boss, banned] = await createUsers(db, one.campaign.id, 3, { role: 'admin' })
  await createUsers(db, one.campaign.id, 1)
  await sql`update users set banned_at = now() where id = ${banned.id}`.execute(db)
  const checkWith = (check: TokenCheck, node = one) => runTokenCheck(node, async () => check)
  /** A minute passes before the next check. */
  const nextMinute = () => advance(db, 60)
  return { one, other, db, checkWith, nextMinute, addresses: [adm.email, boss.email] }
}

/** Moves the database's clock, as far as it concerns checks. */
async function advance(db: Database, seconds: number) {
  const time = sql`make_interval(secs => ${seconds})`
  await sql`
    update token_checks set asked_at = asked_at - ${time}, answered_at = answered_at - ${time}`.execute(db)
  await sql`
    update token_proofs set concluded_at = concluded_at - ${time}, told_at = told_at - ${time},
      told_before_at = told_before_at - ${time}`.execute(db)
}

const verdictsOf = async (db: Database, claim: string) => {
  const { rows } = await sql<{ verdict: string }>`
    select verdict from token_proof_changes where claim = ${claim} order by at, id`.execute(db)
  return rows.map(({ verdict }) => verdict)
}

type Queued = { to: string; template: string; values: Record<string, string> }

const mailsOf = async (db: Database) => {
  const { rows } = await sql<{ payload: Queued }>`
    select payload from jobs where kind = 'mail' order by id`.execute(db)
  return rows.map(({ payload }) => payload)
}

test('a history row with a time to come, written before the clock was set back, is not taken for the last one', async (t) => {
  const { db, checkWith, nextMinute } = await setUp(t)
  await checkWith(checkOf(1))
  await sql`
    insert into token_proof_changes (id, token, claim, verdict, reason, at)
    select gen_random_uuid(), token, claim, 'could_not_check', '{"code": "old_block"}', at + interval '1 day'
    from token_proof_changes`.execute(db)
  const before = await verdictsOf(db, 'ownership')
  for (const block of [2, 3]) {
    await nextMinute()
    await checkWith(checkOf(block))
  }
  assert.deepEqual(await verdictsOf(db, 'ownership'), before)
})

test('asks once a minute over two nodes, however many ask at once', async (t) => {
  const { one, other, nextMinute } = await setUp(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ask = t.mock.fn(async () => checkOf(round))
    await Promise.all(Array.from({ length: 10 }, (_, index) => runTokenCheck(index % 2 ? one : other, ask)))
    assert.equal(ask.mock.callCount(), 1, `round ${round}`)
    await nextMinute()
  }
})

test('asks once a minute while the chain is down, and a node that ends holds up the others for a minute', async (t) => {
  const { one, other, nextMinute, db } = await setUp(t)
  const ask = t.mock.fn(async () => checkWithoutAnswer())
  ask.mock.mockImplementationOnce(() => Promise.reject(new Error('The node ends.')))
  await assert.rejects(runTokenCheck(one, ask), /The node ends/)
  await runTokenCheck(other, ask)
  await advance(db, 59)
  await runTokenCheck(other, ask)
  assert.equal(ask.mock.callCount(), 1)
  await advance(db, 1)
  for (let times = 0; times < 2; times += 1) await runTokenCheck(other, ask)
  assert.equal(ask.mock.callCount(), 2)
  await nextMinute()
  await runTokenCheck(one, ask)
  assert.equal(ask.mock.callCount(), 3)
})

test('a database whose clock was set back does not stop the checks', async (t) => {
  const { checkWith, db } = await setUp(t)
  await checkWith(checkOf(1))
  await advance(db, -3_600)
  await checkWith(checkOf(2, { ownership: OWNED }))
  assert.deepEqual(await verdictsOf(db, 'ownership'), ['proven', 'not_so'])
})

test('an answer that comes after another node has asked does not count', async (t) => {
  const { one, other, nextMinute, checkWith, db } = await setUp(t)
  const late = Promise.withResolvers<TokenCheck>()
  const asking = Promise.withResolvers<void>()
  const slow = runTokenCheck(one, () => {
    asking.resolve()
    return late.promise
  })
  await asking.promise
  await nextMinute()
  await checkWith(checkOf(2, { ownership: OWNED }), other)
  late.resolve(checkOf(9))
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

test('tells every administrator once of a change and of its end, in the journal too', async (t) => {
  const { checkWith, nextMinute, db, addresses, one, other } = await setUp(t)
  await checkWith(checkOf(1))
  assert.deepEqual(await mailsOf(db), [], 'the first verdict is no change')
  for (const node of [one, other, one]) {
    await nextMinute()
    await checkWith(checkOf(2, { ownership: OWNED }), node)
  }
  const mails = await mailsOf(db)
  assert.deepEqual(mails.map(({ to }) => to).toSorted(), addresses.toSorted())
  const { subject, block } = mails[0]?.values ?? {}
  assert.deepEqual([mails[0]?.template, subject, block], ['proof-not-so', 'PF, No owner', '2'])
  await nextMinute()
  await checkWith(checkOf(3))
  assert.equal((await mailsOf(db)).length, 4)
  const entries = await entriesOf(db, { action: 'proof.changed' })
  const claim = 'ownership'
  const recorded = entries.map(({ actor, before, after }) => [actor, before, after])
  assert.deepEqual(recorded, [
    [null, { claim, verdict: 'proven' }, { claim, verdict: 'not_so', reason: 'owned', block: 2 }],
    [null, { claim, verdict: 'not_so' }, { claim, verdict: 'proven', reason: 'renounced', block: 3 }],
  ])
  assert.deepEqual(await verdictsOf(db, 'ownership'), ['proven', 'not_so', 'proven'])
  assert.deepEqual(await verdictsOf(db, 'tax'), ['proven'])
})

test('an outage is in the history after five minutes, and mailed after an hour, once', async (t) => {
  const { checkWith, nextMinute, db } = await setUp(t)
  await checkWith(checkOf(1))
  const stayDown = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await nextMinute()
      await checkWith(checkWithoutAnswer())
    }
    return [(await mailsOf(db)).length, await verdictsOf(db, 'supply')]
  }
  assert.deepEqual(await stayDown(4), [0, ['proven']])
  assert.deepEqual(await stayDown(2), [0, ['proven', 'could_not_check']])
  assert.deepEqual(await stayDown(52), [0, ['proven', 'could_not_check']])
  // One email to each administrator about all claims.
  assert.deepEqual(await stayDown(3), [2, ['proven', 'could_not_check']])
  assert.equal((await stayDown(5))[0], 2)
  await nextMinute()
  await checkWith(checkOf(2))
  assert.equal((await mailsOf(db)).length, 4)
})

test('logs an outage without what the node said, and nothing while it answers', async (t) => {
  const { one, nextMinute } = await setUp(t)
  const { log, lines, text } = logLines()
  const checkWith = (check: TokenCheck) => runTokenCheck({ ...one, log }, async () => check)
  await checkWith(checkOf(1))
  assert.deepEqual(lines(), [])
  await nextMinute()
  const message = 'The key k-123 is over its limit'
  const failure = { kind: 'error', code: -32_005, message, data: undefined } as const
  await checkWith(checkOf(2, { tax: { code: 'no_answer', method: 'eth_call', failure } }))
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

test('whatever a node says can be stored: no NUL, no half of a character', async (t) => {
  const { db, checkWith } = await setUp(t)
  const message = `\0execution reverted: ${'🦊'.repeat(120)}`
  const post = (entry: object) => async () => ({
    status: 200,
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...entry }),
  })
  const call = { method: 'eth_call', params: [] }
  const [failed] = await createJsonRpc(post({ error: { code: -32_000, message } }))([call])
  assert.ok(failed && 'failure' in failed)
  const [even, odd] = ['', ' '].map((start) => toAnsweredCall({ call, reply: { result: start + message } }))
  assert.ok(even && odd)
  const check = checkOf(1, { tax: { code: 'no_answer', method: 'eth_call', failure: failed.failure } })
  await checkWith({ ...check, proofs: check.proofs.map((proof) => ({ ...proof, asked: [even, odd] })) })
  assert.deepEqual(await verdictsOf(db, 'tax'), ['could_not_check'])
})

test('verdict, history, journal and emails are written together or not at all', async (t) => {
  const { one, checkWith, nextMinute, db } = await setUp(t)
  await checkWith(checkOf(1))
  await nextMinute()
  const changed = checkOf(2, { ownership: OWNED })
  let emails = 0
  // The emails are written last.
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
  assert.deepEqual(await mailsOf(db), [])
  assert.deepEqual(await entriesOf(db, { action: 'proof.changed' }), [])
  await nextMinute()
  await checkWith(changed)
  assert.equal((await mailsOf(db)).length, 2)
})
