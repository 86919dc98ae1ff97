import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createPublicClient, getAddress, type Hex, hashMessage, http, verifyMessage } from 'viem'
import { forChain, type Rpc, type RpcReply } from '#contract/token-proofs/rpc.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { type Contract, createDeployer, type Deployer } from '#server/testing/chain/deployer.ts'
import { type Artifact, compileSolidity } from '#server/testing/chain/solidity.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'
import { newOwner, walletSite } from '#server/testing/builders/wallets.ts'
import { createChainRpc } from '../chain/rpc.ts'
import { personalMessageHash, recoverSigner, verifySignature } from './verify-signature.ts'

const TEXTS = [
  '',
  'I own this wallet.',
  'two\nlines',
  'ä, €, 🪙: more bytes than characters',
  'x'.repeat(1_000),
]
const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')

/** `v` is the last byte. */
function withV(signature: Uint8Array, v: number) {
  const changed = Buffer.from(signature)
  changed[64] = v
  return changed
}

/** Anyone can derive this malleated signature: n − s instead of s, and the other recovery id. */
function withHighS(signature: Buffer): Buffer {
  const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
  const mirrored = new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s)).toBytes('compact')
  return Buffer.concat([mirrored, Buffer.from([signature[64] === 27 ? 28 : 27])])
}

test('recovers the signer that viem finds, with v as 27/28 or 0/1', async () => {
  for (const text of TEXTS) {
    assert.deepEqual(Buffer.from(personalMessageHash(text)), bytesOf(hashMessage(text)))
    const account = newOwner()
    const signature = bytesOf(await account.signMessage({ message: text }))
    assert.equal(await recoverSigner(personalMessageHash(text), signature), account.address)
    const withSmallV = withV(signature, (signature[64] ?? 0) - 27)
    assert.equal(await recoverSigner(personalMessageHash(text), withSmallV), account.address)
    const signerOfOther = await recoverSigner(personalMessageHash(`${text}.`), signature)
    assert.notEqual(signerOfOther, account.address, 'another text leads to another signer')
  }
})

test('refuses a malleated signature (high s), which viem accepts', async () => {
  const account = newOwner()
  const signature = bytesOf(await account.signMessage({ message: 'once' }))
  const derived = withHighS(signature)
  const hex = `0x${derived.toString('hex')}` as const
  assert.equal(await verifyMessage({ address: account.address, message: 'once', signature: hex }), true)
  assert.equal(await recoverSigner(personalMessageHash('once'), derived), undefined)
})

test('finds no signer for a wrong length, an unknown v, or r or s out of range', async () => {
  const account = newOwner()
  const hash = personalMessageHash('a text')
  const signature = bytesOf(await account.signMessage({ message: 'a text' }))
  const [zero, max] = [Buffer.alloc(32), Buffer.alloc(32, 0xff)]
  const [r, s, v] = [signature.subarray(0, 32), signature.subarray(32, 64), signature.subarray(64)]
  for (const malformed of [
    Buffer.alloc(0),
    signature.subarray(0, 64),
    Buffer.concat([signature, Buffer.alloc(1)]),
    Buffer.alloc(65),
    ...[2, 3, 26, 29, 31, 32, 255].map((other) => withV(signature, other)),
    Buffer.concat([zero, s, v]),
    Buffer.concat([r, zero, v]),
    Buffer.concat([max, s, v]),
    Buffer.concat([r, max, v]),
  ])
    assert.equal(await recoverSigner(hash, malformed), undefined, malformed.toString('hex'))
})

/** ERC-1271's answer to a valid signature. */
const YES = `0x1626ba7e${'0'.repeat(56)}`
const TEXT = 'A text of several lines,\nas it is signed.'

let chain: Anvil
let deployer: Deployer
let artifacts: Record<string, Artifact>

before(async () => {
  chain = await startAnvil()
  deployer = await createDeployer(chain)
  const source = path.resolve('server/testing/chain/smart-wallets.sol')
  artifacts = await compileSolidity(source, { optimize: false })
})
after(() => chain.stop())

async function deploy(name: string, args: unknown[] = []): Promise<Contract> {
  const contract = await deployer.deploy(artifacts[name] ?? assert.fail(), args)
  return { ...contract, address: getAddress(contract.address) }
}

const rpcOfChain = () =>
  createChainRpc(createHttpClient({ allow: [chain.url], timeoutMs: 20_000 }), chain.url, 369)
const verify = (address: string, signature: string, rpc = rpcOfChain()) =>
  verifySignature(rpc, { address, text: TEXT }, signature)

/** @returns the proven wallet's kind or the refusal's code. Asserts that viem agrees. */
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
  // Not with viem, which looks for a suffix first (ERC-6492) and fails on an empty signature.
  assert.deepEqual(await verify(wallet.address, '0x'), { kind: 'contract' })
})

test('refuses a smart wallet unless it answers with ERC-1271’s exact value', async () => {
  const signature = await newOwner().signMessage({ message: TEXT })
  // They answer `true`, ERC-1271's value with one more bit, a revert, and nothing.
  for (const name of ['CarelessWallet', 'PaddedWallet', 'DeafWallet', 'SilentWallet'])
    assert.equal(await judge((await deploy(name)).address, signature), 'signature_wrong', name)
})

test('refuses a smart wallet that needs more gas than signatures take', async () => {
  const signature = await newOwner().signMessage({ message: TEXT })
  // Not with viem, which sets no gas limit.
  for (const name of ['GreedyWallet', 'EndlessWallet']) {
    const { address } = await deploy(name)
    assert.deepEqual(await verify(address, signature), { refused: 'signature_wrong' }, name)
  }
})

const nodeThatSays = (replies: Record<string, RpcReply>): Rpc =>
  forChain(async (calls) => calls.map(({ method }) => replies[method] ?? assert.fail(method)), 369)

const result = (value: unknown): RpcReply => ({ result: value })
const error = (code: number, message: string): RpcReply => ({
  failure: { kind: 'error', code, message, data: undefined },
})
/** A node of chain 369 (0x171), where the address is a contract that accepts the signature. */
const HONEST = { eth_chainId: result('0x171'), eth_getCode: result('0x6080'), eth_call: result(YES) }

test('an account that delegates to a contract is proven by its own key only', async () => {
  const [owner, stranger] = [newOwner(), newOwner()]
  // The account's code delegates to a contract (EIP-7702), which accepts every signature.
  const rpc = nodeThatSays({ ...HONEST, eth_getCode: result(`0xef0100${'ab'.repeat(20)}`) })
  const verifySignedBy = async (signer: typeof owner) =>
    verify(owner.address, await signer.signMessage({ message: TEXT }), rpc)
  assert.deepEqual(await verifySignedBy(owner), { kind: 'account' })
  assert.deepEqual(await verifySignedBy(stranger), { refused: 'signature_wrong' })
})

test('leaves the proof unclear if the node gives no usable answer', async () => {
  const { address } = newOwner()
  const signature = await newOwner().signMessage({ message: TEXT })
  const verdictOf = async (replies: Partial<typeof HONEST>) =>
    Object.keys(await verify(address, signature, nodeThatSays({ ...HONEST, ...replies }))).join()
  assert.equal(await verdictOf({}), 'kind', 'an honest node proves the wallet')
  const silent: RpcReply = { failure: { kind: 'unreachable', detail: 'took too long' } }
  const limited = error(-32005, 'limit exceeded')
  const missing = error(-32601, 'the method eth_call does not exist/is not available')
  const unclear: Record<keyof typeof HONEST, RpcReply[]> = {
    eth_chainId: [silent, limited, ...['0x1', '0x0', null].map(result)],
    eth_getCode: [silent, limited, ...[null, '6080', '0x608', {}].map(result)],
    eth_call: [silent, limited, missing, ...[null, [YES], 'yes'].map(result)],
  }
  for (const [method, replies] of Object.entries(unclear))
    for (const reply of replies)
      assert.equal(await verdictOf({ [method]: reply }), 'unclear', JSON.stringify([method, reply]))
  const rejections = [result('0x'), error(3, 'execution reverted'), error(-32000, 'VM Exception: revert')]
  for (const eth_call of rejections)
    assert.equal(await verdictOf({ eth_call }), 'refused', JSON.stringify(eth_call))
})

test('a participant proves a smart wallet', async (t) => {
  const { ask, finish, readWallet } = await walletSite(t, { rpc: rpcOfChain() })
  const owners = [newOwner(), newOwner()]
  const { address } = await deploy('SharedWallet', [owners.map((owner) => owner.address)])
  const { nonce, message } = await ask(address)
  const signature = joined(await Promise.all(owners.map((owner) => owner.signMessage({ message }))))
  const { status, text } = await finish({ nonce, signature })
  assert.equal(status, 200, text)
  assert.partialDeepStrictEqual(await readWallet(), { address, kind: 'contract' })
})
