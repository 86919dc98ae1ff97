import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as contract from '#contract/dashboard/payouts.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { claimsOn, freezeNow, payoutApi, payoutCampaign } from '#server/testing/builders/payouts.ts'

/** A node of a chain with 64 empty blocks after its first, which is thus confirmed. */
const nodeOf =
  (chainId: () => number): Rpc =>
  async (calls) => {
    const answers: Record<string, unknown> = {
      eth_chainId: `0x${chainId().toString(16)}`,
      eth_blockNumber: '0x40',
      eth_getLogs: [],
      eth_getBlockByNumber: { number: '0x0', hash: `0x${'1'.repeat(64)}`, timestamp: '0x0' },
    }
    return calls.map(({ method }) => ({ result: answers[method] }))
  }

test('payments of an archived campaign are read only from its own chain', async (t) => {
  const current = payoutCampaign()
  const spring = { ...current, id: 'spring', chain: { ...current.chain, id: 1 } }
  let chainId = current.chain.id
  const node = nodeOf(() => chainId)
  const { call, adm, db, deps } = await payoutApi(t, current, node)
  await syncCampaign(db, spring)
  const inSpring = { ...deps, campaign: spring }
  await claimsOn(inSpring, adm).approveNewClaim()
  await freezeNow(inSpring)
  await sql`update campaigns set archived_at = now() where id = ${spring.id}`.execute(db)

  const payer = `0x${'12'.repeat(20)}`
  const query = { campaign: spring.id }
  const reconcile = () =>
    call(contract.reconcilePayout, { token: adm.token, query, body: { payer, fromBlock: 0 } })
  const readPayers = () => db.selectFrom('payout_scans').select('payer').execute()
  assert.equal((await reconcile()).body.code, 'chain_unreadable')
  assert.deepEqual(await readPayers(), [])
  chainId = spring.chain.id
  assert.equal((await reconcile()).status, 200)
  assert.deepEqual(await readPayers(), [{ payer }])
})
