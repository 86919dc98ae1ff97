import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { checkToken } from '#contract/token-proofs/check-token.ts'
import { PROOF_CLAIMS, type Reason, type TokenCheck } from '#contract/token-proofs/proof.ts'
import type { Rpc, RpcCall, RpcFailure, RpcReply } from '#contract/token-proofs/rpc.ts'
import { subjectOf } from '#contract/token-proofs/subject.ts'
import campaign from '#server/testing/campaign.ts'
import { buildWorld, reasonOf, rpcAt, type TokenName, type World } from '#server/testing/chain/world.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'

const TAXED = ['bothTaxes', 'transferTax', 'swapBack', 'highTax'] as const
/** Tokens that show more than they hand over, or refuse sales, some only outside of simulations. */
const TRICKY = ['phantomBuy', 'phantomSend', 'crowd', 'honeypot', 'shyTrap', 'cooldown'] as const
const NAMES = ['fixed', 'owned', 'role', ...TAXED, ...TRICKY] as const satisfies TokenName[]
type Name = (typeof NAMES)[number]

// Test files share a process: hooks outside of a suite would run for all of them.
describe('a node with faults', () => {
  let chain: Anvil
  let world: World<Name>
  let rpc: Rpc
  before(async () => {
    chain = await startAnvil()
    world = await buildWorld(chain, NAMES)
    rpc = rpcAt(chain.url)
  })
  after(() => chain.stop())

  /** @returns a false reply to a call; undefined to give the honest one. */
  type Falsify = (call: RpcCall, honest: RpcReply) => RpcReply | undefined

  function checkThrough(falsify: Falsify, name: Name = 'fixed'): Promise<TokenCheck> {
    const faulty: Rpc = async (calls) => {
      const replies = await rpc(calls)
      return replies.map((honest, index) => falsify(calls[index] ?? assert.fail(), honest) ?? honest)
    }
    return checkToken(faulty, subjectOf(world.campaignOf(campaign, name)))
  }

  const verdictsOf = ({ proofs }: TokenCheck) =>
    Object.fromEntries(proofs.map(({ claim, verdict }) => [claim, verdict]))
  const everyClaim = (verdict: string) => Object.fromEntries(PROOF_CLAIMS.map((claim) => [claim, verdict]))

  function assertInconclusive({ proofs, block }: TokenCheck, code: Reason['code'], message?: string) {
    assert.equal(block, null, message)
    assert.deepEqual([...new Set(proofs.map(({ verdict }) => verdict))], ['could_not_check'], message)
    assert.deepEqual([...new Set(proofs.map(({ reason }) => reason.code))], [code], message)
  }

  const errorReply = (code: number, message = ''): RpcReply => ({
    failure: { kind: 'error', code, message, data: undefined },
  })
  const notFound = errorReply(-32601, 'the method eth_simulateV1 does not exist/is not available')
  const withoutSimulate: Falsify = ({ method }) => (method === 'eth_simulateV1' ? notFound : undefined)
  /** The third parameter replaces the state of accounts for the call. */
  const overridesState = ({ method, params }: RpcCall) => method === 'eth_call' && params.length > 2
  const withoutBoth: Falsify = (call, honest) =>
    overridesState(call)
      ? errorReply(-32602, 'too many arguments, want at most 2')
      : withoutSimulate(call, honest)

  test('is inconclusive about every claim if the node is on another chain, from the start or later', async () => {
    // Each request of a check asks for the chain.
    for (const honestAnswers of [0, 1, 2, 3, 4]) {
      let asked = 0
      const check = await checkThrough(({ method }) => {
        if (method !== 'eth_chainId') return undefined
        asked += 1
        return asked > honestAnswers ? { result: '0x1' } : undefined
      })
      assertInconclusive(check, 'other_chain', `after ${honestAnswers} answers`)
    }
  })

  test('reads an older block if nodes are at different blocks', async () => {
    const head = Number(await chain.call('eth_blockNumber'))
    const namesBlock = ({ method, params }: RpcCall) =>
      method === 'eth_getBlockByNumber' && params[0] !== 'latest'
    const isHead = ({ params }: RpcCall) => params[0] === `0x${head.toString(16)}`
    const behind = await checkThrough((call) =>
      namesBlock(call) && isHead(call) ? { result: null } : undefined,
    )
    assert.equal(behind.block?.number, head - 3, 'three blocks further back')
    assert.deepEqual(verdictsOf(behind), everyClaim('proven'))
    // Gives up if the nodes disagree about the older block, too.
    const withoutBlocks: Falsify = (call) => (namesBlock(call) ? { result: null } : undefined)
    assertInconclusive(await checkThrough(withoutBlocks), 'no_answer')
    let asked = 0
    const changeEverySecondHash: Falsify = (call, honest) => {
      if (!namesBlock(call) || 'failure' in honest) return undefined
      asked += 1
      return asked % 2 === 0
        ? { result: { ...(honest.result as object), hash: `0x${'ab'.repeat(32)}` } }
        : undefined
    }
    assertInconclusive(await checkThrough(changeEverySecondHash), 'heads_differ')
  })

  test('measures the same taxes without a simulation, except where only a simulation can tell', async () => {
    await placeMulticall(chain)
    // The probe, a contract that trades while an `eth_call` creates it, needs overrides; Multicall3 does not.
    const ways = [
      ['probe', withoutSimulate],
      ['multicall', withoutBoth],
    ] as const
    for (const [method, falsify] of ways) {
      const taxOf = async (name: Name) => reasonOf(await checkThrough(falsify, name), 'tax')
      const trade = { method, exchange: 'PulseX V1', quote: 'WPLS' }
      assert.deepEqual(await taxOf('fixed'), { code: 'no_tax', ...trade })
      const both = { code: 'taxed', buyBps: 500, transferBps: 0, sellBps: 1_000, ...trade }
      assert.deepEqual(await taxOf('bothTaxes'), both)
      const sending = { code: 'taxed', buyBps: 0, transferBps: 300, sellBps: 0, ...trade }
      assert.deepEqual(await taxOf('transferTax'), sending)
      assert.partialDeepStrictEqual(await taxOf('swapBack'), { code: 'taxed', buyBps: 0, sellBps: 500 })
      assert.partialDeepStrictEqual(await taxOf('highTax'), { code: 'taxed', buyBps: 9_000 })
      assert.equal((await taxOf('phantomBuy'))?.code, 'part_unsold')
      assert.equal((await taxOf('crowd'))?.code, 'taxed')
      // In one transaction, a token that demands a pause looks like a trap.
      for (const name of ['honeypot', 'shyTrap', 'cooldown'] as const)
        assert.equal((await taxOf(name))?.code, 'sell_fails_at_once', name)
      // The tax of this token shows only when the recipient sells, which needs a simulation.
      assert.equal((await taxOf('phantomSend'))?.code, 'no_tax')
    }
  })

  test('does not guess a tax where nothing can be simulated', async () => {
    const isMulticall = ({ params }: RpcCall) => JSON.stringify(params).toLowerCase().includes(MULTICALL)
    const isTrade = (call: RpcCall) =>
      call.method === 'eth_simulateV1' || overridesState(call) || isMulticall(call)
    /** As long as a probe's result: 11 words. */
    const probeResult = (digit: string) => ({ result: `0x${digit.repeat(64 * 11)}` })
    const answers = [
      notFound,
      errorReply(-32602, 'invalid argument 2'),
      errorReply(-32000, 'out of gas'),
      errorReply(3, 'execution reverted'),
      { result: '0x' },
      { result: null },
      { result: [] },
      { result: [{ calls: [] }, { calls: [] }, { calls: [] }] },
      probeResult('0'),
      probeResult('f'),
    ]
    for (const answer of answers) {
      const check = await checkThrough((call) => (isTrade(call) ? answer : undefined))
      const expected = { ...everyClaim('proven'), tax: 'could_not_check' }
      assert.deepEqual(verdictsOf(check), expected, JSON.stringify(answer))
      assert.equal(reasonOf(check, 'tax')?.code, 'no_simulation', JSON.stringify(answer))
    }
  })

  test('does not fall back to a weaker method if a token answers nonsense in a simulation', async () => {
    await placeMulticall(chain)
    type Block = { calls: { returnData: string }[] }
    const check = await checkThrough(({ method }, honest) => {
      if (method !== 'eth_simulateV1' || 'failure' in honest) return undefined
      const blocks = structuredClone(honest.result as Block[])
      const balanceOfRecipient = blocks[1]?.calls[0] ?? assert.fail()
      balanceOfRecipient.returnData += '0'.repeat(64)
      return { result: blocks }
    }, 'phantomSend')
    assert.equal(reasonOf(check, 'tax')?.code, 'odd_answer')
  })

  test('does not mistake a node’s failure for a contract’s revert', async () => {
    const ownership = async (answer: RpcReply, name: Name = 'fixed') => {
      // The selectors of owner() and getOwner().
      const readsOwner = ({ params }: RpcCall) => /"0x(8da5cb5b|893d20e8)"/.test(JSON.stringify(params))
      const check = await checkThrough((call) => (readsOwner(call) ? answer : undefined), name)
      return reasonOf(check, 'ownership')?.code
    }
    const reverts = [3, -32000].map((code) => errorReply(code, 'execution reverted'))
    for (const missing of [...reverts, { result: '0x' }]) {
      assert.equal(await ownership(missing), 'renounced')
      assert.equal(await ownership(missing, 'owned'), 'odd_answer', 'the code has the function')
    }
    for (const failure of [-32000, -32005, -32601, -32603, 429])
      assert.equal(await ownership(errorReply(failure, 'limit exceeded')), 'no_answer', String(failure))
    for (const result of ['0x00', `0x${'f'.repeat(64)}`, null, 0, `0x${'0'.repeat(128)}`])
      assert.equal(await ownership({ result }), 'odd_answer', String(result))
  })

  test('does not conclude that no one holds a role if the node withholds the logs', async () => {
    const withheld = [
      errorReply(-32005, 'range too wide'),
      { result: [] },
      { result: null },
      { result: [{ topics: [] }] },
    ]
    for (const logs of withheld) {
      const check = await checkThrough(({ method }) => (method === 'eth_getLogs' ? logs : undefined), 'role')
      assert.equal(reasonOf(check, 'ownership')?.code, 'roles_unread')
    }
  })

  test('is inconclusive if the node fails or answers too much', async () => {
    const failures: RpcFailure[] = [
      { kind: 'unreachable', detail: 'took too long' },
      { kind: 'status', status: 503 },
      { kind: 'too_large' },
      { kind: 'garbage' },
    ]
    for (const failure of failures)
      assertInconclusive(await checkThrough(() => ({ failure })), 'no_answer', failure.kind)
  })

  const ODD_HEX = ['0x', '0xzz', '0x0', `0x${'f'.repeat(63)}`, `0x${'f'.repeat(64)}`]
  /** Results that no call can have. */
  const GARBAGE = [null, 7, {}, [], '', ...ODD_HEX, 'x'.repeat(99)]

  test('proves no claim that depends on a garbage answer', async () => {
    const textOf = ({ method, params }: RpcCall) => JSON.stringify([method, params])
    const targets = new Set<string>()
    await checkThrough((call) => {
      // Other tests cover the chain's id, and simulated trades, which use new accounts each time.
      if (!['eth_chainId', 'eth_simulateV1'].includes(call.method)) targets.add(textOf(call))
      return undefined
    })
    assert.ok(targets.size > 20, `${targets.size} calls to answer with garbage`)
    let judged = 0
    for (const [index, target] of [...targets].entries()) {
      const garbage = GARBAGE[index % GARBAGE.length]
      const { proofs } = await checkThrough((call) =>
        textOf(call) === target ? { result: garbage } : undefined,
      )
      for (const { claim, verdict, asked } of proofs)
        if (asked.some((call) => textOf(call) === target) && !mayBeEmpty(target, garbage)) {
          assert.notEqual(verdict, 'proven', `${claim}: ${target} answered with ${JSON.stringify(garbage)}`)
          judged += 1
        }
    }
    assert.ok(judged > 10, `${judged} verdicts rest on garbage`)
  })

  /** A contract without owner(), getOwner() or feeTo() may give an empty result. */
  const mayBeEmpty = (target: string, garbage: unknown) =>
    garbage === '0x' && /"0x(8da5cb5b|893d20e8|017e7e58)"/.test(target)

  const words = fc.array(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), { minLength: 1, maxLength: 10 })
  const hex = words.map((list) => `0x${list.map((word) => word.toString(16).padStart(64, '0')).join('')}`)
  const random = fc.oneof(fc.jsonValue(), hex, fc.constantFrom('0x', `0x${'0'.repeat(64)}`))

  const HONEST = Symbol('as the chain answers')

  /** Answers come from the stream, except where it says HONEST, and except for chain and block. */
  function checkRandomly(stream: Iterable<unknown>, name: Name): Promise<TokenCheck> {
    const answers = stream[Symbol.iterator]()
    return checkThrough(({ method }) => {
      const answer: unknown = answers.next().value ?? null
      const isGuard = method === 'eth_chainId' || method === 'eth_getBlockByNumber'
      return isGuard || answer === HONEST ? undefined : { result: answer }
    }, name)
  }

  test('random answers prove at most that the contract has code', async () => {
    const property = fc.asyncProperty(fc.infiniteStream(random), async (stream) => {
      const { proofs } = await checkRandomly(stream, 'fixed')
      const proven = proofs.filter(({ verdict }) => verdict === 'proven').map(({ claim }) => claim)
      // This claim is proven by any code at the token's address.
      assert.ok(proven.every((claim) => claim === 'chain'))
    })
    await fc.assert(property, { numRuns: 50, seed: 369 })
  })

  test('gives a verdict on every claim, whatever mixture of answers it gets', async () => {
    const mixed = fc.oneof({ weight: 9, arbitrary: fc.constant(HONEST) }, { weight: 1, arbitrary: random })
    const property = fc.asyncProperty(fc.infiniteStream(mixed), async (stream) => {
      const { proofs } = await checkRandomly(stream, 'role')
      const claims = proofs.map(({ claim }) => claim)
      assert.deepEqual(claims, PROOF_CLAIMS)
    })
    await fc.assert(property, { numRuns: 50, seed: 369 })
  })
})

const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'

/** Puts Multicall3 where PulseChain has it. viem ships the creation code, but not as an export. */
async function placeMulticall(chain: Anvil): Promise<void> {
  const constants = new URL('./constants/contracts.js', import.meta.resolve('viem')).href
  const { multicall3Bytecode } = (await import(constants)) as { multicall3Bytecode: Hex }
  const runtimeCode = await chain.call('eth_call', [{ data: multicall3Bytecode }, 'latest'])
  await chain.call('anvil_setCode', [MULTICALL, runtimeCode])
}
