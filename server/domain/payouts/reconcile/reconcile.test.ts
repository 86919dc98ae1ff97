import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePacked, type Hex, keccak256, toHex } from 'viem'
import { ownPayout } from '#contract/allocation.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { render } from '#server/domain/mail/templates.ts'
import { confirm, startFrozenCampaign, startPayingChain } from '#server/testing/builders/paying-chain.ts'
import { PAID } from '#server/testing/builders/payouts.ts'
import { readArtifact } from '#server/testing/chain/deployer.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { mailTemplates } from '../../../app.ts'
import { thaw } from '../thaw.ts'
import { CONFIRMATIONS } from './reconcile.ts'

type Call = { method: string; params: readonly unknown[] }
type Logs = Record<string, unknown>[]

/** A node whose results of one method are replaced. */
const changed =
  (rpc: Rpc, method: string, change: (result: unknown, call: Call) => unknown): Rpc =>
  async (calls) =>
    (await rpc(calls)).map((reply, index) => {
      const call = calls[index]
      return call?.method === method && 'result' in reply ? { result: change(reply.result, call) } : reply
    })

/** A node that refuses to list the transfers of certain ranges of blocks. */
const refusing =
  (rpc: Rpc, isRefused: (range: { from: number; to: number }) => boolean): Rpc =>
  async (calls) => {
    const filter = calls.find(({ method }) => method === 'eth_getLogs')?.params[0]
    const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: string; toBlock?: string }
    if (!filter || !isRefused({ from: Number(fromBlock), to: Number(toBlock) })) return rpc(calls)
    const failure = { kind: 'error', code: -32005, message: 'too many blocks', data: undefined } as const
    return calls.map(() => ({ failure }))
  }

/** A node that lists the transfers of one block at a time, and of none after `last`. */
const endingAfter = (rpc: Rpc, last: number) => refusing(rpc, ({ from, to }) => from !== to || from > last)

test("reconciling a payer's transfers", async (t) => {
  const payingChain = await startPayingChain(t)
  const { chain, deployer, token, wrapped } = payingChain
  const pay = (to: { wallet: string }, amount: bigint, asset = token) =>
    deployer.send(asset, 'transfer', [to.wallet, amount])
  /** Sends coins from the payer by default. @returns the hash of the transaction. */
  const sendCoins = async (to: { wallet: string }, from = deployer.address, value = PAID.pls) => {
    // With a gas limit, since none can be estimated for a transaction that fails.
    const request = { from, to: to.wallet, value: `0x${value.toString(16)}`, gas: '0x186a0' }
    const reply = await chain.call('eth_sendTransactionSync', [request])
    return (reply as { transactionHash: string }).transactionHash
  }
  const readHead = async () => Number(await chain.call('eth_blockNumber'))

  await t.test('an amount is paid, short, over or missing', async (part) => {
    const names = ['full', 'inParts', 'short', 'over', 'missing'] as const
    const { people, reconcile, readReconciled, listWallets, readMails, deps, call } =
      await startFrozenCampaign(part, payingChain, names)
    const { full, inParts, short, over, missing } = people
    await pay(full, PAID.pf)
    await pay(full, PAID.pls, wrapped)
    await pay(inParts, PAID.pf - 1n)
    await pay(short, PAID.pf - 1n)
    await pay(over, PAID.pf + 1n)
    await pay({ wallet: deployer.address }, 5n) // a wallet outside of the freeze

    await part.test('no payment counts before it is confirmed', async () => {
      // One block too few for the first transfer, which five others follow.
      await chain.mine(CONFIRMATIONS - 6)
      assert.equal((await reconcile()).payments, 0)
      await confirm(chain)
      await pay(inParts, 1n)
      assert.equal((await reconcile()).payments, 5)
      assert.deepEqual((await readReconciled())?.counts, {
        pf: { paid: 1, short: 2, over: 1, missing: 1 },
        pls: { paid: 1, short: 0, over: 0, missing: 4 },
      })
    })

    const counts = {
      pf: { paid: 2, short: 1, over: 1, missing: 1 },
      pls: { paid: 1, short: 0, over: 0, missing: 4 },
    }
    await part.test('wallets are listed by the status of an amount', async () => {
      await confirm(chain)
      assert.equal((await reconcile()).payments, 1)
      const reconciled = await readReconciled()
      assert.deepEqual(reconciled?.counts, counts)
      assert.deepEqual(reconciled.received, { pf: String(4n * PAID.pf), pls: String(PAID.pls) })
      assert.deepEqual(await listWallets('missing'), [missing.wallet])
      assert.deepEqual(await listWallets('short'), [short.wallet])
      assert.deepEqual(await listWallets('over'), [over.wallet])
      assert.deepEqual(await listWallets('paid'), [full.wallet, inParts.wallet].toSorted())
    })

    await part.test('each complete amount is emailed once', async () => {
      const mails = await readMails()
      assert.deepEqual(
        new Set(mails.map(({ to, values }) => `${to} ${values['amount']}`)),
        new Set([
          `${full.email} 20000 PF`,
          `${full.email} 10000 PLS`,
          `${over.email} 20000 PF`,
          `${inParts.email} 20000 PF`,
        ]),
      )
      assert.equal(mails.length, 4)
      const context = { campaign: deps.campaign, publicUrl: 'https://x.example', keys: deps.keys }
      const { text } = render(mails[0] ?? assert.fail(), mailTemplates, context)
      assert.match(text, /See the transfer: https:\/\/[^ ]+\/tx\/0x[0-9a-f]{64}/)
    })

    await part.test('reading the same blocks again changes nothing and emails nobody', async () => {
      const mails = await readMails()
      assert.equal((await reconcile({ fromBlock: 0 })).payments, 0)
      assert.deepEqual((await readReconciled())?.counts, counts)
      assert.deepEqual(await readMails(), mails)
    })

    await part.test('participants see what they were paid', async () => {
      type OwnPayout = { status: unknown; isRead: boolean; payments: { asset: string }[] }
      const readPayoutOf = async (person: { token: string }) => {
        const { body } = await call(ownPayout, { token: person.token })
        const { status, isRead, payments } = body.data as OwnPayout
        return { status, isRead, assets: payments.map(({ asset }) => asset) }
      }
      const paid = { status: { pf: 'paid', pls: 'paid' }, isRead: true, assets: ['pf', 'pls'] }
      assert.deepEqual(await readPayoutOf(full), paid)
      const unpaid = { status: { pf: 'missing', pls: 'missing' }, isRead: true, assets: [] }
      assert.deepEqual(await readPayoutOf(missing), unpaid)
    })

    await part.test('the freeze can no longer be undone', () =>
      assert.rejects(thaw(deps, { actor: null, reason: 'too late' }), { code: 'payout_reconciled' }),
    )
  })

  await t.test('claims from a distributor count when it is the payer', async (part) => {
    const { reconcile, readReconciled, people } = await startFrozenCampaign(part, payingChain, [
      'claimed',
      'unclaimed',
    ])
    // A distributor whose tree has one leaf: the root is the leaf, and its proof is empty.
    const wallet = people.claimed.wallet as Hex
    const leaf = keccak256(encodePacked(['uint256', 'address', 'uint256'], [0n, wallet, PAID.pf]))
    const artifact = await readArtifact('@uniswap/merkle-distributor/build/MerkleDistributor.json')
    const distributor = await deployer.deploy(artifact, [token.address, leaf])
    await deployer.send(token, 'transfer', [distributor.address, PAID.pf])
    await deployer.send(distributor, 'claim', [0n, wallet, PAID.pf, []])
    await confirm(chain)

    assert.equal((await reconcile()).payments, 0, 'the account that funded the distributor has paid nobody')
    assert.equal((await reconcile({ payer: distributor.address })).payments, 1)
    const reconciled = await readReconciled()
    assert.deepEqual(reconciled?.counts.pf, { paid: 1, short: 0, over: 0, missing: 1 })
    assert.equal(reconciled.payers.length, 2)
  })

  await t.test('a payment in coins counts if its transaction is named', async (part) => {
    const { reconcile, readReconciled, people, listWallets } = await startFrozenCampaign(part, payingChain, [
      'paid',
      'unpaid',
    ])
    const { paid, unpaid } = people
    const hash = await sendCoins(paid)
    const [, stranger = ''] = (await chain.call('eth_accounts')) as string[]
    const foreign = await sendCoins(unpaid, stranger, 1n)
    const failed = await sendCoins({ wallet: token.address })
    const details = { fields: { transactions: 'transaction_unproven' } }
    const unproven = { code: 'invalid_input', details }
    const assertUnproven = (transaction: string, which: string) =>
      assert.rejects(reconcile({ transactions: [transaction] }), unproven, which)
    await assertUnproven(hash, 'an unconfirmed transaction')
    await confirm(chain)
    await assertUnproven(foreign, "another payer's transaction")
    const unknown = `0x${'12'.repeat(32)}`
    await assertUnproven(unknown, 'an unknown transaction')
    await assertUnproven(failed, 'a failed transaction')

    await reconcile()
    assert.deepEqual((await readReconciled())?.counts.pls, { paid: 0, short: 0, over: 0, unreadable: 2 })
    assert.equal((await reconcile({ transactions: [hash, hash] })).payments, 1)
    assert.equal((await reconcile({ transactions: [hash] })).payments, 0)
    assert.deepEqual((await readReconciled())?.counts.pls, { paid: 1, short: 0, over: 0, missing: 1 })
    assert.deepEqual(await listWallets('missing', 'pls'), [unpaid.wallet])
  })

  await t.test('a node that lies is not believed', async (part) => {
    const { reconcile, readReconciled, people, rpc, readMails } = await startFrozenCampaign(
      part,
      payingChain,
      ['ann', 'ben'],
    )
    const { ann, ben } = people
    const start = (await readHead()) + 1
    await chain.mine(10)
    await pay(ann, PAID.pf)
    await confirm(chain)
    const edit = (fields: Record<string, unknown>) =>
      changed(rpc, 'eth_getLogs', (logs) => (logs as Logs).map((log) => ({ ...log, ...fields })))
    const topicsOfTransferFrom = (payer: string) => [
      keccak256(toHex('Transfer(address,address,uint256)')),
      ...[payer, ann.wallet].map((address) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`),
    ]
    const lies: Record<string, Rpc> = {
      'another chain': changed(rpc, 'eth_chainId', () => '0x1'),
      'no logs': changed(rpc, 'eth_getLogs', () => null),
      'another token': edit({ address: ben.wallet }),
      'another payer': edit({ topics: topicsOfTransferFrom(ben.wallet) }),
      'no topics': edit({ topics: [] }),
      'a removed entry': edit({ removed: true }),
      'no amount': edit({ data: '0x' }),
      'two amounts': edit({ data: `0x${'01'.repeat(64)}` }),
      'a block beyond the range': edit({ blockNumber: '0xffffff' }),
      'a block of another fork': edit({ blockHash: `0x${'9'.repeat(64)}` }),
      'no transaction': edit({ transactionHash: '0x12' }),
      'no last block': changed(rpc, 'eth_getBlockByNumber', (block, { params }) =>
        params[0] === '0x0' ? block : null,
      ),
      'garbage for a head': changed(rpc, 'eth_blockNumber', () => 'high'),
    }
    for (const [name, lie] of Object.entries(lies)) {
      await assert.rejects(reconcile({ fromBlock: 0 }, lie), { code: 'chain_unreadable' }, name)
      assert.equal(await readReconciled(), null, name)
      assert.deepEqual(await readMails(), [], name)
    }
    const ofThreeBlocks = refusing(rpc, ({ from, to }) => to - from > 2)
    const message = 'a node that only refuses long ranges is asked for fewer blocks'
    assert.equal((await reconcile({ fromBlock: start }, ofThreeBlocks)).payments, 1, message)
  })

  await t.test(
    'an interrupted run journals what it has recorded, and counts no block that it skipped as read',
    async (part) => {
      const { reconcile, readReconciled, rpc, people, db } = await startFrozenCampaign(part, payingChain, [
        'ann',
        'ben',
      ])
      const readJournaled = async () =>
        (await entriesOf(db, { action: 'payout.reconciled' })).map(({ after }) => after)
      const start = (await readHead()) + 1
      await pay(people.ann, PAID.pf)
      const annIsPaidAt = await readHead()
      await pay(people.ben, PAID.pf)
      await confirm(chain)

      const ending = endingAfter(rpc, annIsPaidAt)
      await assert.rejects(reconcile({ fromBlock: start }, ending), { code: 'chain_unreadable' })
      assert.equal((await readReconciled())?.counts.pf.paid, 1)
      const ofInterruptedRun = { payments: 1, from: start, to: annIsPaidAt }
      assert.deepEqual(await readJournaled(), [ofInterruptedRun])
      await assert.rejects(reconcile({}, ending), { code: 'chain_unreadable' })
      assert.deepEqual(
        await readJournaled(),
        [ofInterruptedRun],
        'an interrupted run that has recorded nothing is not journaled',
      )
      assert.equal((await reconcile()).payments, 1)
      const ofLastRun = { payments: 1, from: annIsPaidAt + 1, to: (await readHead()) - CONFIRMATIONS }
      assert.deepEqual(await readJournaled(), [ofInterruptedRun, ofLastRun])

      const readFirstBlocks = async () => (await readReconciled())?.payers.map(({ fromBlock }) => fromBlock)
      await assert.rejects(reconcile({ fromBlock: 0 }, endingAfter(rpc, 2)), { code: 'chain_unreadable' })
      assert.deepEqual(await readFirstBlocks(), [start], 'the blocks between 2 and the start were not read')
      await reconcile({ fromBlock: 0 })
      assert.deepEqual(await readFirstBlocks(), [0])
    },
  )

  const chainChanged = { code: 'chain_changed' }

  await t.test(
    'after a reorganization, unlike a lag, a payer is read anew, but only while no payment could count twice',
    async (part) => {
      const { reconcile, readReconciled, people, rpc } = await startFrozenCampaign(part, payingChain, ['ann'])
      const hashOfFork = `0x${'9'.repeat(64)}`
      const reorganized = changed(rpc, 'eth_getBlockByNumber', (block) => ({
        ...(block as object),
        hash: hashOfFork,
      }))
      await confirm(chain)
      await reconcile()
      const fromBlock = (await readReconciled())?.payers[0]?.fromBlock ?? assert.fail()
      await assert.rejects(reconcile({}, reorganized), chainChanged, 'a run that names no block is refused')
      assert.equal((await reconcile({ fromBlock }, reorganized)).payments, 0)

      // The last stored hash is the false one, so the node's own chain seems to be reorganized.
      const hash = await sendCoins(people.ann)
      await confirm(chain)
      const named = reconcile({ transactions: [hash] }, reorganized)
      await assert.rejects(named, chainChanged, 'the block of a named transaction was replaced')
      assert.equal((await reconcile({ fromBlock, transactions: [hash] })).payments, 1)
      await pay(people.ann, PAID.pf)
      await confirm(chain)
      await assert.rejects(reconcile({}, reorganized), chainChanged)
      assert.equal((await reconcile()).payments, 1)
      await assert.rejects(reconcile({ fromBlock }, reorganized), chainChanged, 'a payment might count twice')

      const { to: last } = await reconcile()
      await pay(people.ann, PAID.pf)
      await confirm(chain)
      assert.ok(last < (await readHead()) - CONFIRMATIONS)
      const withHeadAt = (block: number) => changed(rpc, 'eth_blockNumber', () => `0x${block.toString(16)}`)
      const endsTooEarly = 'the chain ends before the last block that was read'
      await assert.rejects(reconcile({}, withHeadAt(last - 1)), chainChanged, endsTooEarly)
      const oneBlockBehind = last + CONFIRMATIONS - 1
      assert.partialDeepStrictEqual(await reconcile({}, withHeadAt(oneBlockBehind)), {
        payments: 0,
        to: last,
      })
      assert.equal((await reconcile()).payments, 1, 'a lag was not taken for a reorganization')
    },
  )
})
