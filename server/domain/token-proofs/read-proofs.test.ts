import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { PROOF_CLAIMS, type ProofClaim, type Reason, type TokenCheck } from '#contract/token-proofs/proof.ts'
import { type TokenProof, tokenProofs } from '#contract/token-proofs.ts'
import type { Database } from '#server/platform/database/database.ts'
import { testApi } from '#server/testing/api.ts'
import defaultCampaign from '#server/testing/campaign.ts'
import { testNode } from '#server/testing/deps.ts'
import { openStream } from '#server/testing/streams.ts'
import { checkAt, checkWithoutAnswer, OWNED, REAL_TOKEN } from '#server/testing/builders/token-checks.ts'
import { createProofReader } from './read-proofs.ts'
import { runTokenCheck } from './run-token-check.ts'

const TEN_MINUTES_MS = 600_000
const passAMinute = (db: Database) =>
  sql`update token_checks set asked_at = asked_at - interval '1 minute'`.execute(db)
const byClaim = (proofs: readonly TokenProof[]) =>
  Object.fromEntries(proofs.map((proof) => [proof.claim, proof])) as Partial<Record<ProofClaim, TokenProof>>
const verdictsOf = (proofs: readonly TokenProof[]) => new Set(proofs.map(({ verdict }) => verdict))

test('GET /proofs has the verdict, question, answer, limits, block, calls and history of each claim', async (t) => {
  const { call, deps, db } = await testApi(t, { campaign: REAL_TOKEN })
  const getProofs = async () => (await call(tokenProofs)).body.data as TokenProof[]
  const unknown = { verdict: 'could_not_check', reason: 'not_checked', block: null, checkedAt: null }
  const unchecked = PROOF_CLAIMS.map((claim) => ({ claim, ...unknown }))
  assert.partialDeepStrictEqual(await getProofs(), unchecked, 'before the first check')
  await runTokenCheck(deps, async () => checkAt(24_500_000))
  const { chain, ownership, liquidity } = byClaim(await getProofs())
  const answer = 'Yes. The node is on PulseChain (chain 369), and the contract has 4,242 bytes of code.'
  assert.deepEqual(chain, {
    claim: 'chain',
    verdict: 'proven',
    reason: 'right_chain',
    asked: 'Is this node on PulseChain (chain 369), and is there a contract at the token’s address?',
    answer,
    limits: chain?.limits,
    block: 24_500_000,
    checkedAt: chain?.checkedAt,
    explorer: `https://scan.pulsechain.com/address/${REAL_TOKEN.token.contract}`,
    calls: [{ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: '0x1', data: '0x2' }, 'latest'] }],
    history: [{ at: chain?.history[0]?.at, verdict: 'proven', answer, block: 24_500_000 }],
  })
  assert.ok(Math.abs(Date.parse(chain?.checkedAt ?? '') - Date.now()) < TEN_MINUTES_MS)
  assert.match(chain?.limits ?? '', /^This does not show/)
  assert.match(ownership?.limits ?? '', /hidden roles that use other names/)
  const poolPage = `https://scan.pulsechain.com/address/0x${'7'.repeat(40)}`
  assert.equal(liquidity?.explorer, poolPage)

  await passAMinute(db)
  await runTokenCheck(deps, async () => checkWithoutAnswer())
  const duringOutage = byClaim(await getProofs()).chain
  assert.deepEqual(duringOutage, chain, 'in a short outage, the last proof is shown')
})

test('answers about a placeholder token say that it is a placeholder, without reading the database', async (t) => {
  const { call, pool } = await testApi(t)
  const connect = t.mock.method(pool, 'connect')
  const proofs = (await call(tokenProofs)).body.data as TokenProof[]
  const verdict = 'could_not_check'
  const expected = PROOF_CLAIMS.map((claim) => ({ claim, verdict, reason: 'placeholder' }))
  assert.partialDeepStrictEqual(proofs, expected)
  assert.match(proofs[0]?.answer ?? '', /placeholder/)
  assert.equal(connect.mock.callCount(), 0)
})

test('while the database is unreachable, the last proofs are served until they expire after five minutes', async (t) => {
  const { pool, deps } = await testNode(t, REAL_TOKEN)
  const clock = { ms: 0 }
  const readProofs = createProofReader(deps, () => clock.ms)
  await runTokenCheck(deps, async () => checkAt(1))
  const proven = await readProofs()
  assert.deepEqual(verdictsOf(proven), new Set(['proven']))
  t.mock.method(pool, 'connect', () => Promise.reject(new Error('Connection terminated')))
  clock.ms = 299_000
  assert.equal(await readProofs(), proven, 'the same array until something changes')
  clock.ms = 301_000
  assert.deepEqual(verdictsOf(await readProofs()), new Set(['could_not_check']))
  const readFirst = createProofReader(deps, () => clock.ms)
  assert.deepEqual(verdictsOf(await readFirst()), new Set(['could_not_check']), 'nothing was read before')
})

test('every node shows the proofs of a new check as soon as it is notified of the check', async (t) => {
  const { deps, db, anotherNode } = await testApi(t, {
    campaign: REAL_TOKEN,
    keepPublicForMs: TEN_MINUTES_MS, // Before that, only the notification replaces an answer.
  })
  const other = await anotherNode()
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.app.server.address() as AddressInfo
  const stream = await openStream(t, `http://127.0.0.1:${port}/api/v1/events?topics=proofs`)
  const getProofs = async () => (await other.call(tokenProofs)).body.data as TokenProof[]
  assert.deepEqual(await stream.hear('proofs'), { checkedAt: null })
  const checks: [block: number, check: TokenCheck, verdict: string][] = [
    [1, checkAt(1), 'proven'],
    [2, checkAt(2, { ownership: OWNED }), 'not_so'],
  ]
  for (const [block, check, verdict] of checks) {
    await getProofs()
    await runTokenCheck(deps, async () => check)
    const { checkedAt } = (await stream.hear('proofs')) as { checkedAt: string }
    const { ownership } = byClaim(await getProofs())
    assert.partialDeepStrictEqual(ownership, { verdict, block, checkedAt })
    await passAMinute(db)
  }
  // The node's stream uses a connection of the pool, so the node closes before the pool ends.
  await other.app.close()
})

test('shows at most twenty changes, newest first, and none of a former contract of the token', async (t) => {
  const { db, deps } = await testNode(t, REAL_TOKEN)
  const reasons: Reason[] = [OWNED, { code: 'renounced', owner: null }]
  const checks = 21
  for (let block = 1; block <= checks; block += 1) {
    await passAMinute(db)
    const ownership = reasons[block % 2] ?? OWNED
    await runTokenCheck(deps, async () => checkAt(block, { ownership }))
  }
  const readProofs = createProofReader(deps)
  const { chain, ownership } = byClaim(await readProofs())
  assert.equal(chain?.history.length, 1, 'the other claims have not changed')
  const newest = Array.from({ length: 20 }, (_, index) => checks - index)
  assert.deepEqual(
    ownership?.history.map(({ block, verdict }) => ({ block, verdict })),
    newest.map((block) => ({ block, verdict: block % 2 === 1 ? 'proven' : 'not_so' })),
  )

  const token = { ...REAL_TOKEN.token, contract: `0x${'5'.repeat(40)}` }
  const readOfOtherToken = createProofReader({ ...deps, campaign: { ...defaultCampaign, token } })
  assert.deepEqual(verdictsOf(await readOfOtherToken()), new Set(['could_not_check']))
})
