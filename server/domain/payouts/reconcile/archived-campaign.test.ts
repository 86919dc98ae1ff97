import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as contract from '#contract/dashboard/payouts.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { claimsOn, frozen, payoutApi, payoutCampaign } from '#server/testing/builders/payouts.ts'

test('payments of an archived campaign are read only from its own chain', async (t) => {
  const block = { number: '0x0', hash: `0x${'1'.repeat(64)}`, timestamp: '0x0' }
  const answers: Record<string, unknown> = {
    eth_blockNumber: '0x40',
    eth_getLogs: [],
    eth_getBlockByNumber: block,
  }
  const current = payoutCampaign()
  let chainId = current.chain.id
  const node: Rpc = async (calls) =>
    calls.map(({ method }) => ({
      result: method === 'eth_chainId' ? `0x${chainId.toString(16)}` : answers[method],
    }))
  const { call, adm, db, deps } = await payoutApi(t, current, node)
  const spring = { ...current, id: 'spring', chain: { ...current.chain, id: 1 } }
  await syncCampaign(db, spring)
  const inSpring = { ...deps, campaign: spring }
  await claimsOn(inSpring, adm).approved()
  await frozen(inSpring)
  await sql`update campaigns set archived_at = now() where id = ${spring.id}`.execute(db)
  const body = { payer: `0x${'12'.repeat(20)}`, fromBlock: 0 }
  const reconcile = () =>
    call(contract.reconcilePayout, { token: adm.token, query: { campaign: spring.id }, body })
  const payers = async () =>
    (await db.selectFrom('payout_scans').select('payer').execute()).map(({ payer }) => payer)
  assert.equal((await reconcile()).body.code, 'chain_unreadable')
  assert.deepEqual(await payers(), [])
  chainId = 1
  assert.equal((await reconcile()).status, 200)
  assert.deepEqual(await payers(), [body.payer])
})
