import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '#contract/token-proofs/abi.ts'
import { findRole } from '#contract/token-proofs/ownership.ts'
import { openReader } from '#contract/token-proofs/reader.ts'
import type { Rpc, RpcCall } from '#contract/token-proofs/rpc.ts'

const word = (digits: string) => `0x${digits.padStart(64, '0')}`
const BLOCK = { number: '0x10', hash: word('b1'), timestamp: '0x65000000' }
const TOKEN = `0x${'aa'.repeat(20)}`

/**
 * Reads the newest block of chain 369 (0x171).
 * @param answer gives the node's result; undefined for the usual one. Requests are numbered from 1.
 */
function readerOf(answer: (call: RpcCall, request: number) => unknown) {
  let requests = 0
  const usual: Record<string, unknown> = { eth_chainId: '0x171', eth_getBlockByNumber: BLOCK }
  const rpc: Rpc = async (calls) => {
    requests += 1
    return calls.map((call) => ({ result: answer(call, requests) ?? usual[call.method] ?? word('1') }))
  }
  return openReader(rpc, 369, 0)
}

test('fails if one of several requests is answered from another block', async () => {
  const calls = Array.from({ length: 120 }, () => ({ method: 'eth_call', params: [] }))
  const honest = await readerOf(() => undefined)
  assert.equal((await honest.read(calls)).length, 120)
  // The first request asks for the block, and the next three make the calls.
  for (const wrong of [2, 3, 4]) {
    const reader = await readerOf(({ method }, request) =>
      request === wrong && method === 'eth_getBlockByNumber' ? { ...BLOCK, hash: word('b2') } : undefined,
    )
    const expected = { reason: { code: 'heads_differ', block: 16 } }
    await assert.rejects(reader.read(calls), expected, `request ${wrong}`)
  }
})

/** The topic of `RoleGranted(bytes32,address,address)`. */
const GRANTED = '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d'
const [ADMIN, MINTER] = [word(''), word('f00d')]
const [DEPLOYER, FRIEND] = [`0x${'d1'.repeat(20)}`, `0x${'f1'.repeat(20)}`]

/** The deployer holds the role `ADMIN`, and no one else holds any. The node's logs have only `grants`. */
async function findRoleAfter(grants: readonly [role: Hex, account: Hex, sender: Hex][]) {
  const logs = grants.map(([role, account, sender]) => ({
    topics: [GRANTED, role, word(account.slice(2)), word(sender.slice(2))],
  }))
  const reader = await readerOf(({ method, params }) => {
    if (method === 'eth_getLogs') return logs
    if (method !== 'eth_call') return undefined
    const { data } = params[0] as { data: Hex }
    const isAboutDeployer = data.endsWith(ADMIN.slice(2) + word(DEPLOYER.slice(2)).slice(2))
    return word(isAboutDeployer ? '1' : '0')
  })
  return findRole(reader, TOKEN, () => {})
}

test('does not conclude that no one holds a role if the node has lost older grants', async () => {
  const held = { code: 'role_held', role: ADMIN, account: DEPLOYER }
  assert.deepEqual(await findRoleAfter([[ADMIN, DEPLOYER, DEPLOYER]]), held)
  // A list without a grant of the administrator role is incomplete.
  assert.deepEqual(await findRoleAfter([[MINTER, FRIEND, DEPLOYER]]), { code: 'roles_unread' })
  // Accounts that granted a role are checked, too.
  assert.deepEqual(await findRoleAfter([[ADMIN, FRIEND, DEPLOYER]]), held)
  assert.equal(await findRoleAfter([[ADMIN, FRIEND, FRIEND]]), undefined, 'no listed account holds a role')
})
