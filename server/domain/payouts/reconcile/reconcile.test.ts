import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { encodePacked, type Hex, keccak256 } from 'viem'
import { ownPayout } from '#contract/allocation.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { render } from '#server/domain/mail/templates.ts'
import { confirm, frozenOn, startWorld, type World } from '#server/testing/builders/paying-chain.ts'
import { PAID } from '#server/testing/builders/payouts.ts'
import { readArtifact } from '#server/testing/chain/deployer.ts'
import type { Anvil } from '#server/testing/fakes/anvil.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { mailTemplates } from '../../../app.ts'
import { thaw } from '../thaw.ts'
import { CONFIRMATIONS } from './reconcile.ts'

test("reconciling a payer's transfers", async (t) => {
  const world = await startWorld(t)
  await t.test(
    'payments that are short, over or missing are found; reading them again changes nothing and emails nobody',
    () => findsShortAndMissing(t, world),
  )
  await t.test('claims from a distributor count when it is the payer', () => countsClaims(t, world))
  await t.test('coins count by the transaction that carried them', () => countsCoins(t, world))
  await t.test(
    'a node with limits is asked for fewer blocks at a time, and one that lies is not believed',
    () => resistsNodes(t, world),
  )
  await t.test('blocks that an interrupted run has skipped do not count as read', () => admitsGaps(t, world))
  await t.test('the journal says what an interrupted run has recorded', () =>
    journalsInterruptedRun(t, world),
  )
  await t.test(
    'a reorganization of the chain is noticed, and a node that lags behind is not mistaken for one',
    () => noticesReorganization(t, world),
  )
})

async function findsShortAndMissing(t: TestContext, world: World) {
  const { chain, deployer, token, wrapped } = world
  const { run, read, list, mails, people, deps, call } = await frozenOn(t, world, 5)
  const [full, parts, short, over, missing] = people
  assert.ok(full && parts && short && over && missing)
  const pay = (to: { wallet: string }, amount: bigint, of = token) =>
    deployer.send(of, 'transfer', [to.wallet, amount])
  await pay(full, PAID.pf)
  await pay(full, PAID.pls, wrapped)
  await pay(parts, PAID.pf - 1n)
  await pay(short, PAID.pf - 1n)
  await pay(over, PAID.pf + 1n)
  await pay({ wallet: deployer.address }, 5n)
  await chain.mine(CONFIRMATIONS - 7)
  assert.equal((await run()).payments, 0, 'nothing counts before it is confirmed')
  await confirm(chain)
  await pay(parts, 1n)
  assert.equal((await run()).payments, 5)
  assert.deepEqual((await read())?.counts, {
    pf: { paid: 1, short: 2, over: 1, missing: 1 },
    pls: { paid: 1, short: 0, over: 0, missing: 4 },
  })
  await confirm(chain)
  const last = await run()
  assert.equal(last.payments, 1)
  const expected = {
    pf: { paid: 2, short: 1, over: 1, missing: 1 },
    pls: { paid: 1, short: 0, over: 0, missing: 4 },
  }
  assert.deepEqual((await read())?.counts, expected)
  assert.deepEqual((await read())?.received, { pf: String(4n * PAID.pf), pls: String(PAID.pls) })
  assert.deepEqual(await list('missing'), [missing.wallet])
  assert.deepEqual(await list('short'), [short.wallet])
  assert.deepEqual(await list('over'), [over.wallet])
  assert.deepEqual(await list('paid'), [full.wallet, parts.wallet].toSorted())
  const sent = await mails()
  assert.equal((await run({ fromBlock: 0 })).payments, 0, 'reading the same blocks again changes nothing')
  assert.deepEqual([(await read())?.counts, await mails()], [expected, sent])
  const mailed = sent.map(({ to, values }) => `${to} ${values['amount']}`).toSorted()
  assert.deepEqual(
    mailed,
    [
      `${full.email} 20000 PF`,
      `${full.email} 10000 PLS`,
      `${over.email} 20000 PF`,
      `${parts.email} 20000 PF`,
    ].toSorted(),
  )
  const context = { campaign: deps.campaign, publicUrl: 'https://x.example', keys: deps.keys }
  const { text } = render(sent[0] ?? assert.fail(), mailTemplates, context)
  assert.match(text, /See the transfer: https:\/\/[^ ]+\/tx\/0x[0-9a-f]{64}/)
  type Seen = { status: unknown; isRead: boolean; payments: { asset: string }[] }
  const seenBy = async ({ token: session }: { token: string }) =>
    (await call(ownPayout, { token: session })).body.data as Seen
  const paid = await seenBy(full)
  assert.deepEqual([paid.status, paid.isRead], [{ pf: 'paid', pls: 'paid' }, true])
  const unpaid = await seenBy(missing)
  assert.deepEqual(
    [unpaid.status, unpaid.isRead, unpaid.payments],
    [{ pf: 'missing', pls: 'missing' }, true, []],
  )
  const assets = paid.payments.map(({ asset }) => asset)
  assert.deepEqual(assets, ['pf', 'pls'])
  await assert.rejects(thaw(deps, { actor: null, reason: 'too late' }), { code: 'payout_reconciled' })
}

async function countsClaims(t: TestContext, world: World) {
  const { chain, deployer, token } = world
  const { run, read, people } = await frozenOn(t, world, 2)
  // A distributor whose tree has one leaf: the root is the leaf, and its proof is empty.
  const wallet = people[0]?.wallet as Hex
  const leaf = keccak256(encodePacked(['uint256', 'address', 'uint256'], [0n, wallet, PAID.pf]))
  const artifact = await readArtifact('@uniswap/merkle-distributor/build/MerkleDistributor.json')
  const distributor = await deployer.deploy(artifact, [token.address, leaf])
  await deployer.send(token, 'transfer', [distributor.address, PAID.pf])
  await deployer.send(distributor, 'claim', [0n, wallet, PAID.pf, []])
  await confirm(chain)
  assert.equal((await run()).payments, 0, 'the account that funded the distributor paid nobody')
  assert.equal((await run({ payer: distributor.address })).payments, 1)
  assert.deepEqual((await read())?.counts.pf, { paid: 1, short: 0, over: 0, missing: 1 })
  assert.equal((await read())?.payers.length, 2)
}

/** Returns the hash of the transaction. */
async function sendCoins(chain: Anvil, to: string | undefined, from: string, value = PAID.pls) {
  const request = { from, to, value: `0x${value.toString(16)}` }
  const reply = await chain.call('eth_sendTransactionSync', [request])
  return (reply as { transactionHash: string }).transactionHash
}

async function countsCoins(t: TestContext, world: World) {
  const { chain, deployer } = world
  const { run, read, people, list } = await frozenOn(t, world, 2)
  const [first, second] = people
  assert.ok(first && second)
  const hash = await sendCoins(chain, first.wallet, deployer.address)
  const [, stranger = ''] = (await chain.call('eth_accounts')) as string[]
  const foreign = await sendCoins(chain, second.wallet, stranger, 1n)
  const unproven = { code: 'invalid_input', fields: { transactions: 'transaction_unproven' } }
  await assert.rejects(run({ transactions: [hash] }), unproven, 'too new')
  await confirm(chain)
  await assert.rejects(run({ transactions: [foreign] }), unproven, 'of someone else')
  await assert.rejects(run({ transactions: [`0x${'12'.repeat(32)}`] }), unproven, 'unknown')
  await run()
  assert.deepEqual((await read())?.counts.pls, { paid: 0, short: 0, over: 0, unreadable: 2 })
  assert.equal((await run({ transactions: [hash, hash] })).payments, 1)
  assert.equal((await run({ transactions: [hash] })).payments, 0)
  assert.deepEqual((await read())?.counts.pls, { paid: 1, short: 0, over: 0, missing: 1 })
  assert.deepEqual(await list('missing', 'pls'), [second.wallet])
}

type Call = { method: string; params: readonly unknown[] }
type Logs = Record<string, unknown>[]

/** The node with the answers to one method changed. */
const changed =
  (rpc: Rpc, method: string, change: (result: unknown, call: Call) => unknown): Rpc =>
  async (calls) =>
    (await rpc(calls)).map((reply, index) => {
      const call = calls[index]
      return call?.method === method && 'result' in reply ? { result: change(reply.result, call) } : reply
    })

async function resistsNodes(t: TestContext, world: World) {
  const { chain, deployer, token } = world
  const { run, read, people, rpc, mails } = await frozenOn(t, world, 2)
  for (const { wallet } of people) await deployer.send(token, 'transfer', [wallet, PAID.pf])
  await confirm(chain)
  const [first, second] = people
  const edit = (fields: Record<string, unknown>) =>
    changed(rpc, 'eth_getLogs', (logs) => (logs as Logs).map((log) => ({ ...log, ...fields })))
  const topics = (from: string) => [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    `0x${from.slice(2).padStart(64, '0')}`,
    `0x${(first?.wallet ?? '').slice(2).toLowerCase().padStart(64, '0')}`,
  ]
  const lies: Record<string, Rpc> = {
    'another chain': changed(rpc, 'eth_chainId', () => '0x1'),
    'no logs': changed(rpc, 'eth_getLogs', () => null),
    'another token': edit({ address: second?.wallet }),
    'another payer': edit({ topics: topics(second?.wallet ?? '') }),
    'no topics': edit({ topics: [] }),
    'a removed entry': edit({ removed: true }),
    'no amount': edit({ data: '0x' }),
    'two amounts': edit({ data: `0x${'01'.repeat(64)}` }),
    'a block beyond the range': edit({ blockNumber: '0xffffff' }),
    'no transaction': edit({ transactionHash: '0x12' }),
    'no last block': changed(rpc, 'eth_getBlockByNumber', (block, { params }) =>
      params[0] === '0x0' ? block : null,
    ),
    'garbage for a head': changed(rpc, 'eth_blockNumber', () => 'high'),
  }
  for (const [name, lie] of Object.entries(lies)) {
    await assert.rejects(run({ fromBlock: 0 }, lie), { code: 'chain_unreadable' }, name)
    assert.deepEqual([await read(), await mails()], [null, []], name)
  }
  // At most three blocks at a time, and only sometimes.
  let asked = 0
  const limited: Rpc = async (calls) => {
    const [filter] = (calls.find(({ method }) => method === 'eth_getLogs')?.params ?? []) as {
      fromBlock: string
      toBlock: string
    }[]
    asked += 1
    const isTooMuch = filter !== undefined && Number(filter.toBlock) - Number(filter.fromBlock) > 2
    if (!isTooMuch) return rpc(calls)
    return calls.map(() => ({
      failure: { kind: 'error', code: -32005, message: 'too many blocks', data: undefined },
    }))
  }
  assert.equal((await run({ fromBlock: 0 }, limited)).payments, 2)
  assert.ok(asked > 20)
  assert.deepEqual((await read())?.counts.pf, { paid: 2, short: 0, over: 0, missing: 0 })
}

/** The node, but it answers for one block at a time only, and for none after `last`. */
const endingAfter =
  (rpc: Rpc, last: number): Rpc =>
  (calls) => {
    const filter = calls.find(({ method }) => method === 'eth_getLogs')?.params[0]
    const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: string; toBlock?: string }
    const isRefused = fromBlock !== toBlock || Number(fromBlock) > last
    const failure = { kind: 'error', code: -32005, message: 'too many blocks', data: undefined } as const
    return isRefused ? Promise.resolve(calls.map(() => ({ failure }))) : rpc(calls)
  }

async function admitsGaps(t: TestContext, world: World) {
  const { run, read, rpc } = await frozenOn(t, world, 1)
  await confirm(world.chain)
  const first = async () => (await read())?.payers.map(({ fromBlock }) => fromBlock)
  await run({ fromBlock: 9 })
  await assert.rejects(run({ fromBlock: 0 }, endingAfter(rpc, 2)), { code: 'chain_unreadable' })
  assert.deepEqual(await first(), [9])
  await run({ fromBlock: 0 })
  assert.deepEqual(await first(), [0])
}

async function journalsInterruptedRun(t: TestContext, world: World) {
  const { chain, deployer, token } = world
  const { run, read, rpc, people, db } = await frozenOn(t, world, 2)
  const [first, second] = people
  const journaled = async () =>
    (await entriesOf(db, { action: 'payout.reconciled' })).map(({ after }) => after)
  const head = async () => Number(await chain.call('eth_blockNumber', []))
  const start = (await head()) + 1
  await deployer.send(token, 'transfer', [first?.wallet, PAID.pf])
  const paidAt = await head()
  await deployer.send(token, 'transfer', [second?.wallet, PAID.pf])
  await confirm(chain)
  const ending = endingAfter(rpc, paidAt)
  await assert.rejects(run({ fromBlock: start }, ending), { code: 'chain_unreadable' })
  assert.equal((await read())?.counts.pf.paid, 1)
  assert.deepEqual(await journaled(), [{ payments: 1, from: start, to: paidAt }])
  await assert.rejects(run({}, ending), { code: 'chain_unreadable' })
  assert.equal((await journaled()).length, 1, 'a run that recorded nothing is not journaled')
  assert.equal((await run()).payments, 1)
  assert.deepEqual((await journaled())[1], {
    payments: 1,
    from: paidAt + 1,
    to: (await head()) - CONFIRMATIONS,
  })
}

async function noticesReorganization(t: TestContext, world: World) {
  const { chain, deployer, token } = world
  const { run, read, people, rpc } = await frozenOn(t, world, 1)
  await confirm(chain)
  await run()
  const other = changed(rpc, 'eth_getBlockByNumber', (block) => ({
    ...(block as object),
    hash: `0x${'9'.repeat(64)}`,
  }))
  const first = (await read())?.payers[0]?.fromBlock ?? assert.fail()
  await assert.rejects(run({}, other), { code: 'chain_changed' })
  assert.equal((await run({ fromBlock: first }, other)).payments, 0, 'nothing could count twice')
  const hash = await sendCoins(chain, people[0]?.wallet, deployer.address)
  await confirm(chain)
  assert.equal((await run({ fromBlock: first, transactions: [hash] })).payments, 1, 'nor what is named')
  await deployer.send(token, 'transfer', [people[0]?.wallet, PAID.pf])
  await confirm(chain)
  await assert.rejects(run({}, other), { code: 'chain_changed' })
  const newest = Number(await chain.call('eth_blockNumber'))
  const headAt = (block: number) => changed(rpc, 'eth_blockNumber', () => `0x${block.toString(16)}`)
  const last = (await read())?.payers[0]?.toBlock ?? assert.fail()
  await assert.rejects(
    run({}, headAt(last - 1)),
    { code: 'chain_changed' },
    'the chain ends before the last block that was read',
  )
  const behind = await run({}, headAt(last + 63))
  assert.deepEqual([behind.payments, behind.to], [0, last], 'a node that is one block behind')
  assert.ok(last < newest - 64)
  assert.equal((await read())?.counts.pf.missing, 1)
  assert.equal((await run()).payments, 1)
  await assert.rejects(
    run({ fromBlock: first }, other),
    { code: 'chain_changed' },
    'a payment might count twice',
  )
}
