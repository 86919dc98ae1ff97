import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { CHALLENGE_HEADER, type Challenge } from '#contract/protocol/challenge.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { solve } from '#server/testing/solve.ts'
import { newChallenge, purgeSpentChallenges, readSolution, type Scope, spendSolution } from './challenge.ts'
import { deriveKeys } from '../secrets.ts'

const keys = deriveKeys('a secret of the tests, long enough to be one')
const scope: Scope = { call: 'POST /users/register', network: '192.0.2.1' }
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds
const soon = { load: 0, expiresAt: inSeconds(600) }

type Payload = { challenge: Challenge; solution: { counter: number; derivedKey: string } }
const decode = (header: string) => JSON.parse(Buffer.from(header, 'base64').toString()) as Payload
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

/** The header with the solution of a challenge. */
async function solved(challenge: Challenge): Promise<string> {
  return (await solve(challenge))[CHALLENGE_HEADER] ?? ''
}

test('accepts a solution only for its endpoint, network and secret', async () => {
  const header = await solved(await newChallenge(keys, scope, soon))
  const { challenge } = decode(header)
  assert.deepEqual(readSolution(keys, scope, header), {
    signature: Buffer.from(challenge.signature, 'hex'),
    expiresAt: soon.expiresAt,
  })
  const others: Scope[] = [
    { ...scope, call: 'POST /tasks' },
    { ...scope, network: '192.0.2.2' },
    // Joined, the same text: only the split differs.
    { call: `${scope.call}1`, network: scope.network.slice(1) },
  ]
  for (const other of others) assert.equal(readSolution(keys, other, header), undefined)
  const otherKeys = deriveKeys('another secret of the tests, just as long')
  assert.equal(readSolution(otherKeys, scope, header), undefined)
})

test('rejects a solution in which anything but the solver’s time was altered', async () => {
  const { challenge, solution } = decode(await solved(await newChallenge(keys, scope, soon)))
  const { parameters, signature } = challenge
  const flipped = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)
  const changedParameters = [
    { expiresAt: parameters.expiresAt + 600 },
    { cost: 1 },
    { keyLength: 1 },
    { data: { counterBelow: 1 } },
    { keyPrefix: flipped(parameters.keyPrefix) },
    { keySignature: flipped(parameters.keySignature) },
    { nonce: flipped(parameters.nonce) },
    { salt: flipped(parameters.salt) },
    { algorithm: 'SHA-256' },
    { memoryCost: 1 },
  ]
  const forged = [
    ...changedParameters.map((change) => ({
      challenge: { parameters: { ...parameters, ...change }, signature },
      solution,
    })),
    { challenge: { parameters, signature: flipped(signature) }, solution },
    { challenge: { parameters, signature: signature.toUpperCase() }, solution },
    { challenge: { parameters }, solution },
    { challenge: { ...challenge, codeChallenge: {} }, solution },
    { challenge, solution: { ...solution, derivedKey: flipped(solution.derivedKey) } },
    { challenge, solution: { ...solution, derivedKey: `${parameters.keyPrefix}${'0'.repeat(32)}` } },
    { challenge, solution: { ...solution, counter: -1 } },
    { challenge, solution: { ...solution, counter: '1' } },
    { challenge, solution: null },
    { challenge },
  ]
  for (const payload of forged)
    assert.equal(readSolution(keys, scope, encode(payload)), undefined, JSON.stringify(payload))
  assert.ok(readSolution(keys, scope, encode({ challenge, solution: { ...solution, time: 3 } })))
})

test('checks expiry by the database’s clock, not this machine’s', async (t) => {
  const { db } = await testDatabase(t)
  const { rows } = await sql<{ now: number }>`select extract(epoch from now())::int as now`.execute(db)
  const now = rows[0]?.now ?? assert.fail()
  const passes = async (expiresAt: number, secondsAhead: number) => {
    t.mock.timers.enable({ apis: ['Date'], now: (now + secondsAhead) * 1_000 })
    try {
      const header = await solved(await newChallenge(keys, scope, { load: 0, expiresAt }))
      const solution = readSolution(keys, scope, header) ?? assert.fail()
      return await db.transaction().execute((tx) => spendSolution(tx, solution))
    } finally {
      t.mock.timers.reset()
    }
  }
  const HOUR = 3_600
  assert.equal(await passes(now + 600, HOUR), true, 'this machine’s clock is an hour ahead')
  assert.equal(await passes(now + 600, -HOUR), true, 'this machine’s clock is an hour behind')
  assert.equal(await passes(now - 60, -HOUR), false, 'an expired challenge is refused even so')
})

test('raises the difficulty with the load, up to a bound', async () => {
  const boundAt = async (load: number) =>
    (await newChallenge(keys, scope, { ...soon, load })).parameters.data.counterBelow
  const lowest = await boundAt(0)
  // The work triples from load 0 to 1, and grows no more from load 3 on.
  const factors = (await Promise.all([0.5, 1, 3, 9].map(boundAt))).map((bound) => bound / lowest)
  assert.deepEqual(factors, [2, 3, 7, 7])
  const { counter } = decode(await solved(await newChallenge(keys, scope, soon))).solution
  assert.ok(counter >= lowest / 2 && counter < lowest, `${counter} is not in the upper half of the range`)
})

test('spends a solution once', async (t) => {
  const { db } = await testDatabase(t)
  const solution = { signature: Buffer.alloc(32, 1), expiresAt: inSeconds(600) }
  const spend = () => db.transaction().execute((tx) => spendSolution(tx, solution))
  assert.equal(await spend(), true)
  assert.equal(await spend(), false)
  await purgeSpentChallenges(db)
  assert.equal(await spend(), false, 'a purge keeps it until it has expired')
  // Purged an hour after it expired.
  await sql`update spent_challenges set expires_at = now() - interval '61 minutes'`.execute(db)
  await purgeSpentChallenges(db)
  assert.deepEqual(await db.selectFrom('spent_challenges').selectAll().execute(), [])
})
