import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { createPublicClient, getAddress, type Hex, hashMessage, http } from 'viem'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { type Contract, createDeployer, type Deployer } from '#server/testing/chain/deployer.ts'
import { type Artifact, compileSolidity } from '#server/testing/chain/solidity.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'
import { serveStub } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode, type RpcAnswer } from '#server/testing/fakes/json-rpc.ts'
import { newOwner, walletSite } from '#server/testing/builders/wallets.ts'
import { createChainRpc } from '../chain/rpc.ts'
import { verifySignature } from './verify-signature.ts'

/** What ERC-1271 returns for yes. */
const YES = `0x1626ba7e${'0'.repeat(56)}`
const TEXT = 'A text of several lines,\nas it is signed.'

let chain: Anvil
let deployer: Deployer
let artifacts: Record<string, Artifact>

before(async () => {
  chain = await startAnvil()
  deployer = await createDeployer(chain)
  artifacts = await compileSolidity(path.resolve('server/testing/chain/smart-wallets.sol'))
})
after(() => chain.stop())

async function deploy(name: string, args: unknown[] = []): Promise<Contract> {
  const contract = await deployer.deploy(artifacts[name] ?? assert.fail(), args)
  return { ...contract, address: getAddress(contract.address) }
}

const rpcAt = (url: string, timeoutMs = 20_000) =>
  createChainRpc(createHttpClient({ allow: [url], timeoutMs }), url, 369)
const verify = (address: string, signature: string, url = chain.url) =>
  verifySignature(rpcAt(url), { address, text: TEXT }, signature)

/** The kind of the wallet if the signature proves it, else the refusal's code. Asserts that viem agrees. */
async function judge(address: string, signature: Hex): Promise<string> {
  const verdict = await verify(address, signature)
  const client = createPublicClient({ transport: http(chain.url) })
  const signed = { address: getAddress(address), message: TEXT, signature }
  assert.equal('kind' in verdict, await client.verifyMessage(signed), 'viem disagrees')
  return Object.values(verdict).join()
}

const joined = (signatures: readonly Hex[]): Hex =>
  `0x${signatures.map((signature) => signature.slice(2)).join('')}`

test('a smart wallet is proven by the signatures of all its owners, in order, over its text', async () => {
  const owners = [newOwner(), newOwner(), newOwner()]
  const { address } = await deploy('SharedWallet', [owners.map((owner) => owner.address)])
  const signatures = await Promise.all(owners.map((owner) => owner.signMessage({ message: TEXT })))
  assert.equal(await judge(address, joined(signatures)), 'contract')
  assert.equal(await judge(address, joined(signatures.toReversed())), 'signature_wrong')
  assert.equal(await judge(address, joined(signatures.slice(1))), 'signature_wrong', 'the contract reverts')
  assert.equal(await judge(address, signatures[0] ?? '0x'), 'signature_wrong', 'one signature is too few')
  assert.equal(await judge(address, '0x'), 'signature_wrong')
  const ofAnotherText = await Promise.all(owners.map((owner) => owner.signMessage({ message: 'another' })))
  assert.equal(await judge(address, joined(ofAnotherText)), 'signature_wrong')
})

test('an empty signature is accepted if the smart wallet has approved the message on the chain', async () => {
  const wallet = await deploy('ApprovingWallet')
  assert.equal(await judge(wallet.address, '0x'), 'signature_wrong')
  await deployer.send(wallet, 'approve', [hashMessage(TEXT)])
  // viem cannot confirm this one: it looks for a suffix first (ERC-6492) and fails on an empty signature.
  assert.deepEqual(await verify(wallet.address, '0x'), { kind: 'contract' })
})

test('a smart wallet that answers anything but ERC-1271’s exact value is refused', async () => {
  const signature = await newOwner().signMessage({ message: TEXT })
  for (const name of ['CarelessWallet', 'PaddedWallet', 'DeafWallet', 'SilentWallet'])
    assert.equal(await judge((await deploy(name)).address, signature), 'signature_wrong', name)
})

test('a smart wallet gets no more gas than signatures take, and is refused if it needs more', async () => {
  const signature = await newOwner().signMessage({ message: TEXT })
  for (const name of ['GreedyWallet', 'EndlessWallet'])
    assert.deepEqual(
      await verify((await deploy(name)).address, signature),
      { refused: 'signature_wrong' },
      name,
    )
})

/** A node with a fixed answer for each method; an object with a code is an error. */
function nodeThatSays(t: TestContext, answers: Record<string, unknown>): Promise<string> {
  const answer = (method: string): RpcAnswer => {
    const fixed = answers[method]
    const isError = typeof fixed === 'object' && fixed !== null && 'code' in fixed
    return isError ? { error: fixed as { code: number; message: string } } : { result: fixed }
  }
  return serveStub(t, jsonRpcNode(answer))
}

test('an account that delegates to a contract is proven by its own key only', async (t) => {
  const [owner, stranger] = [newOwner(), newOwner()]
  // The code of such an account (EIP-7702); the contract accepts every signature.
  const delegated = { eth_chainId: '0x171', eth_getCode: `0xef0100${'ab'.repeat(20)}`, eth_call: YES }
  const url = await nodeThatSays(t, delegated)
  const verifySignedBy = async (signer: typeof owner) =>
    verify(owner.address, await signer.signMessage({ message: TEXT }), url)
  assert.deepEqual(await verifySignedBy(owner), { kind: 'account' })
  assert.deepEqual(await verifySignedBy(stranger), { refused: 'signature_wrong' })
})

test('a node that gives no usable answer leaves the proof unclear', async (t) => {
  const { address } = newOwner()
  const signature = await newOwner().signMessage({ message: TEXT })
  type Says = Record<'eth_chainId' | 'eth_getCode' | 'eth_call', unknown>
  const honest: Says = { eth_chainId: '0x171', eth_getCode: '0x6080', eth_call: YES }
  const verdictOf = async (says: Partial<Says>) => {
    const url = await nodeThatSays(t, { ...honest, ...says })
    return Object.keys(await verify(address, signature, url)).join()
  }
  assert.equal(await verdictOf({}), 'kind', 'an honest node proves the wallet')
  const limited = { code: -32005, message: 'limit exceeded' }
  const missing = { code: -32601, message: 'the method eth_call does not exist/is not available' }
  const unclear: Record<keyof Says, unknown[]> = {
    eth_chainId: ['0x1', '0x0', null, limited],
    eth_getCode: [limited, null, '6080', '0x608', {}],
    eth_call: [limited, null, [YES], 'yes', missing],
  }
  for (const [method, answers] of Object.entries(unclear))
    for (const answer of answers)
      assert.equal(await verdictOf({ [method]: answer }), 'unclear', JSON.stringify([method, answer]))
  const reverts = [
    { code: 3, message: 'execution reverted' },
    { code: -32000, message: 'VM Exception: revert' },
  ]
  for (const eth_call of ['0x', ...reverts])
    assert.equal(await verdictOf({ eth_call }), 'refused', JSON.stringify(eth_call))

  const hangingUrl = await serveStub(t, () => {})
  const silent = await verifySignature(rpcAt(hangingUrl, 100), { address, text: TEXT }, signature)
  assert.deepEqual(Object.keys(silent), ['unclear'])
})

test('a participant proves a smart wallet', async (t) => {
  const { ask, finish, readWallet } = await walletSite(t, { rpc: rpcAt(chain.url) })
  const owners = [newOwner(), newOwner()]
  const { address } = await deploy('SharedWallet', [owners.map((owner) => owner.address)])
  const { nonce, message } = await ask(address)
  const signature = joined(await Promise.all(owners.map((owner) => owner.signMessage({ message }))))
  const { status, text } = await finish({ nonce, signature })
  assert.equal(status, 200, text)
  assert.partialDeepStrictEqual(await readWallet(), { address, kind: 'contract' })
})
