import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import type { Asset } from '#contract/allocation.ts'
import { startWorld, type World } from '#server/testing/builders/paying-chain.ts'
import { type Contract, readArtifact } from '#server/testing/chain/deployer.ts'
import { compileSolidity } from '#server/testing/chain/solidity.ts'
import { buildAllocation, exportPack } from './build-pack.ts'
import { packFacts, payoutRows } from './testing/allocation.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import type { PayoutRow } from './types.ts'

/** An odd number of recipients of each asset, so that a branch of the tree moves up. */
const ROWS = payoutRows(13).map((row, place): PayoutRow => ({
  ...row,
  pf: row.pf + 1n,
  pls: place < 11 ? row.pls + 1n : 0n,
}))

/** A chain with the assets, and the folder with an exported pack. */
type Setting = World & { folder: string }

test('contracts on a chain accept the proofs of an exported pack', async (t) => {
  const folder = path.join(await scratchFolder(t), 'pack')
  await exportPack(ROWS, packFacts((await buildAllocation(ROWS)).root), folder)
  const setting = { ...(await startWorld(t)), folder }
  await t.test("Uniswap's distributor pays each wallet its own PF, once", () => claimAll(setting, 'pf'))
  await t.test("Uniswap's distributor pays PLS as wrapped coins in the same way", () =>
    claimAll(setting, 'pls'),
  )
  await t.test('OpenZeppelin’s library verifies each row of each tree, and none with one unit more', () =>
    verifyAll(setting),
  )
})

const read = async ({ folder }: Setting, file: string) =>
  JSON.parse(await readFile(path.join(folder, file), 'utf8')) as unknown

const INVALID = /MerkleDistributor: Invalid proof/
const TAKEN = /MerkleDistributor: Drop already claimed/

type Claims = {
  merkleRoot: string
  tokenTotal: string
  claims: Record<string, { index: number; amount: string; proof: string[] }>
}

/** A distributor of Uniswap's with exactly the tokens that the pack says. */
async function distribute(
  { deployer }: Setting,
  token: Contract,
  { merkleRoot, tokenTotal }: Claims,
): Promise<Contract> {
  const artifact = await readArtifact('@uniswap/merkle-distributor/build/MerkleDistributor.json')
  const distributor = await deployer.deploy(artifact, [token.address, merkleRoot])
  await deployer.send(token, 'transfer', [distributor.address, BigInt(tokenTotal)])
  return distributor
}

async function claimAll(setting: Setting, asset: Asset) {
  const { deployer } = setting
  const pack = (await read(setting, `${asset}/uniswap.json`)) as Claims
  const token = asset === 'pf' ? setting.token : setting.wrapped
  const distributor = await distribute(setting, token, pack)
  const claim = (index: number, wallet: string, amount: bigint, proof: string[]) =>
    deployer.send(distributor, 'claim', [index, wallet, amount, proof])
  const refuses = (reason: RegExp, ...args: Parameters<typeof claim>) =>
    assert.rejects(deployer.read(distributor, 'claim', args), reason)
  const balance = (wallet: string) => deployer.read(token, 'balanceOf', [wallet])
  const people = Object.entries(pack.claims)
  const [[wallet, first], [other, second]] = people as [(typeof people)[0], (typeof people)[0]]
  const amount = BigInt(first.amount)

  await refuses(INVALID, first.index, wallet, amount + 1n, first.proof)
  await refuses(INVALID, first.index, other, amount, first.proof)
  await refuses(INVALID, second.index, wallet, amount, first.proof)
  await refuses(INVALID, first.index, wallet, amount, second.proof)

  await claim(first.index, wallet, amount, first.proof)
  assert.equal(await balance(wallet), amount)
  await refuses(TAKEN, first.index, wallet, amount, first.proof)

  for (const [account, { index, amount: due, proof }] of people.slice(1))
    await claim(index, account, BigInt(due), proof)
  for (const row of ROWS) assert.equal(await balance(row.wallet), row[asset])
  assert.equal(await balance(distributor.address), 0n)
}

const VERIFIER = `
contract Verifier {
    function isPaid(bytes32 root, bytes32[] calldata proof, address wallet, uint256 amount) external pure returns (bool) {
        return MerkleProof.verify(proof, root, keccak256(bytes.concat(keccak256(abi.encode(wallet, amount)))));
    }

    function isAllocated(bytes32 root, bytes32[] calldata proof, address wallet, uint256 pf, uint256 pls) external pure returns (bool) {
        return MerkleProof.verify(proof, root, keccak256(bytes.concat(keccak256(abi.encode(wallet, pf, pls)))));
    }
}
`

/** OpenZeppelin's library with a contract that calls it. */
async function deployVerifier({ deployer, folder }: Setting): Promise<Contract> {
  const library = await readFile(
    fileURLToPath(import.meta.resolve('@openzeppelin/contracts/utils/cryptography/MerkleProof.sol')),
    'utf8',
  )
  const file = path.join(path.dirname(folder), 'Verifier.sol')
  await writeFile(file, library + VERIFIER)
  const { Verifier } = await compileSolidity(file)
  assert.ok(Verifier)
  return deployer.deploy(Verifier)
}

async function verifyAll(setting: Setting) {
  const verifier = await deployVerifier(setting)
  for (const [file, functionName] of [
    ['allocation.json', 'isAllocated'],
    ['pf/openzeppelin.json', 'isPaid'],
    ['pls/openzeppelin.json', 'isPaid'],
  ] as const) {
    const tree = StandardMerkleTree.load(
      (await read(setting, file)) as Parameters<typeof StandardMerkleTree.load<string[]>>[0],
    )
    const accepts = (row: number, [wallet, ...amounts]: unknown[]) =>
      setting.deployer.read(verifier, functionName, [tree.root, tree.getProof(row), wallet, ...amounts])
    for (const [row, value] of tree.entries()) {
      assert.equal(await accepts(row, value), true, file)
      assert.equal(await accepts(row, [...value.slice(0, -1), BigInt(value.at(-1) ?? '') + 1n]), false, file)
    }
  }
}
