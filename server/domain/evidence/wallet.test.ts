import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test, type TestContext } from 'node:test'
import defaultCampaign from '#server/testing/campaign.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { serveStub } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode } from '#server/testing/fakes/json-rpc.ts'
import { createChainRpc } from '../chain/rpc.ts'
import { type ClaimToCheck, sentenceOf } from './finding.ts'
import { checkOwner, walletSource } from './wallet.ts'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const CLAIM = { wallet: WALLET } as ClaimToCheck
/** A node's answers about a plain account that has sent transactions and holds coins. */
const USED = {
  eth_chainId: '0x171', // 369
  eth_getCode: '0x',
  eth_getTransactionCount: '0x7',
  eth_getBalance: '0xde0b6b3a7640000',
}

function node(
  answers: Record<string, unknown>,
  asked: [method: string, params: unknown][] = [],
): RequestListener {
  return jsonRpcNode((method, params) => {
    asked.push([method, params])
    const result = answers[method]
    return result instanceof Error ? { error: { code: -32005, message: result.message } } : { result }
  })
}

async function runWith(t: TestContext, listener: RequestListener) {
  const url = await serveStub(t, listener)
  const http = createHttpClient({ allow: [url], timeoutMs: 20_000 })
  const rpc = createChainRpc(http, url, defaultCampaign.chain.id)
  const { findings } = await walletSource(rpc, defaultCampaign).run(CLAIM)
  return findings
}

const runForOutcomes = async (t: TestContext, listener: RequestListener) =>
  Object.fromEntries((await runWith(t, listener)).map(({ check, outcome }) => [check, outcome]))

const BOTH_UNKNOWN = { 'wallet-kind': 'could_not_tell', 'wallet-used': 'could_not_tell' }

test('asks the node for its chain, and keeps its replies about the account', async (t) => {
  const asked: [method: string, params: unknown][] = []
  const findings = await runWith(t, node(USED, asked))
  assert.deepEqual(asked, [
    ['eth_chainId', []],
    ['eth_getCode', [WALLET, 'latest']],
    ['eth_getTransactionCount', [WALLET, 'latest']],
    ['eth_getBalance', [WALLET, 'latest']],
  ])
  const { eth_chainId: _, ...replies } = USED
  assert.equal(findings.length, 2)
  for (const { outcome, copy } of findings) {
    assert.equal(outcome, 'confirmed')
    assert.deepEqual(JSON.parse(copy?.text ?? ''), replies)
  }
})

test('distinguishes plain accounts from contracts, and used accounts from unused ones', async (t) => {
  const outcomesWith = (changes: Partial<typeof USED>) => runForOutcomes(t, node({ ...USED, ...changes }))
  const confirmed = { 'wallet-kind': 'confirmed', 'wallet-used': 'confirmed' }
  assert.deepEqual(await outcomesWith({ eth_getTransactionCount: '0x0' }), confirmed, 'it holds coins')
  assert.deepEqual(await outcomesWith({ eth_getBalance: '0x0' }), confirmed, 'it has sent')
  const unused = { eth_getTransactionCount: '0x0', eth_getBalance: '0x0' }
  assert.deepEqual(await outcomesWith(unused), { ...confirmed, 'wallet-used': 'contradicted' })
  const contract = { ...confirmed, 'wallet-kind': 'contradicted' }
  assert.deepEqual(await outcomesWith({ eth_getCode: '0x6080604052' }), contract)
  const delegated = { eth_getCode: `0xef0100${'ab'.repeat(20)}` }
  assert.deepEqual(await outcomesWith(delegated), confirmed, 'a delegated plain account')
})

test('is inconclusive if the node belongs to another chain', async (t) => {
  const findings = await runWith(t, node({ ...USED, eth_chainId: '0x1' }))
  assert.equal(findings.length, 2)
  for (const { outcome, found, copy } of findings) {
    assert.equal(outcome, 'could_not_tell')
    assert.deepEqual(found, { code: 'other_chain', id: 369 })
    assert.deepEqual(JSON.parse(copy?.text ?? ''), { eth_chainId: '"0x1"' })
  }
})

test('is inconclusive after an error, a malformed reply or a status of 503', async (t) => {
  for (const method of Object.keys(USED))
    for (const answer of [new Error('limit'), null, 5, '5', '0xzz', {}, undefined]) {
      const message = `${method} ${JSON.stringify(answer)}`
      assert.deepEqual(await runForOutcomes(t, node({ ...USED, [method]: answer })), BOTH_UNKNOWN, message)
    }
  const halfByte = await runForOutcomes(t, node({ ...USED, eth_getCode: '0x608' }))
  assert.deepEqual(halfByte, BOTH_UNKNOWN, 'code that ends with half a byte')
  for (const method of ['eth_getTransactionCount', 'eth_getBalance'])
    assert.deepEqual(await runForOutcomes(t, node({ ...USED, [method]: '0x' })), BOTH_UNKNOWN, method)
  const tooLong = { ...USED, eth_getBalance: `0x${'f'.repeat(65)}` }
  assert.deepEqual(await runForOutcomes(t, node(tooLong)), BOTH_UNKNOWN, 'more than 32 bytes')
  const tooMany = { ...USED, eth_getTransactionCount: `0x${'f'.repeat(64)}` }
  assert.deepEqual(await runForOutcomes(t, node(tooMany)), BOTH_UNKNOWN, 'more than a number holds exactly')
  const findings = await runWith(t, (_request, response) => void response.writeHead(503).end('{}'))
  assert.equal(findings.length, 2)
  for (const { outcome, retry } of findings) assert.deepEqual([outcome, retry], ['could_not_tell', {}])
})

const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

test('confirms a wallet that the participant has proven, and contradicts one that another participant has', () => {
  const judge = (proven: string | null, { isProvenByOther = false, kind = 'account' } = {}) => {
    const claim = { wallet: WALLET, proven_wallet: proven, is_proven_by_other: isProvenByOther }
    const { outcome, found, check } = checkOwner({ ...claim, proven_kind: proven && kind })
    assert.equal(check, 'wallet-owned')
    return `${outcome}: ${sentenceOf(found)}`
  }
  assert.equal(judge(WALLET), 'confirmed: The participant signed with this wallet.')
  assert.match(judge(WALLET, { kind: 'contract' }), /^confirmed: .* a contract that accepted the signature\./)
  assert.match(judge(WALLET.toLowerCase()), /^confirmed/)
  assert.match(judge(null), /^could_not_tell: .* Signing is optional\./)
  const provenOther = `could_not_tell: The participant has proven another wallet, ${OTHER}, but not this one.`
  assert.equal(judge(OTHER), provenOther)
  for (const proven of [null, OTHER])
    assert.equal(
      judge(proven, { isProvenByOther: true }),
      'contradicted: Another participant has proven that this wallet is theirs.',
    )
})
