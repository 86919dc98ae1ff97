import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { startPayingChain } from '#server/testing/builders/paying-chain.ts'
import { readArtifact } from '#server/testing/chain/deployer.ts'
import { compileSolidity } from '#server/testing/chain/solidity.ts'
import { buildAllocation, exportPack } from './build-pack.ts'
import { packFacts, payoutRows } from './testing/allocation.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import type { PayoutRow } from './types.ts'

/** 13 recipients of PF and 11 of PLS: odd numbers, so that a branch of each tree moves up. */
const ROWS = payoutRows(13).map((row, place): PayoutRow => ({
  ...row,
  pf: row.pf + 1n,
  pls: place < 11 ? row.pls + 1n : 0n,
}))

type Claims = {
  merkleRoot: string
  tokenTotal: string
  claims: Record<string, { index: number; amount: string; proof: string[] }>
}

test('contracts on a chain accept the proofs of an exported pack', async (t) => {
  const scratch = await scratchFolder(t)
  const folder = path.join(scratch, 'pack')
  await exportPack(ROWS, packFacts((await buildAllocation(ROWS)).root), folder)
  const readJson = async (file: string) =>
    JSON.parse(await readFile(path.join(folder, file), 'utf8')) as unknown
  const { deployer, token, wrapped } = await startPayingChain(t)

  for (const [asset, paidToken, name] of [
    ['pf', token, 'PF'],
    ['pls', wrapped, 'wrapped coins for its PLS'],
  ] as const)
    await t.test(`Uniswap's distributor pays each wallet its own ${name}, once`, async () => {
      const { merkleRoot, tokenTotal, claims } = (await readJson(`${asset}/uniswap.json`)) as Claims
      const artifact = await readArtifact('@uniswap/merkle-distributor/build/MerkleDistributor.json')
      const distributor = await deployer.deploy(artifact, [paidToken.address, merkleRoot])
      await deployer.send(paidToken, 'transfer', [distributor.address, BigInt(tokenTotal)])
      const assertRefused = (args: unknown[], why: RegExp) =>
        assert.rejects(deployer.read(distributor, 'claim', args), why)
      const readBalance = (wallet: string) => deployer.read(paidToken, 'balanceOf', [wallet])
      const people = Object.entries(claims).map(([wallet, claim]) => ({
        wallet,
        ...claim,
        amount: BigInt(claim.amount),
      }))
      const [ann, ben] = people
      assert.ok(ann && ben)

      const invalid = /MerkleDistributor: Invalid proof/
      await assertRefused([ann.index, ann.wallet, ann.amount + 1n, ann.proof], invalid)
      await assertRefused([ann.index, ben.wallet, ann.amount, ann.proof], invalid)
      await assertRefused([ben.index, ann.wallet, ann.amount, ann.proof], invalid)
      await assertRefused([ann.index, ann.wallet, ann.amount, ben.proof], invalid)

      for (const { index, wallet, amount, proof } of people) {
        await deployer.send(distributor, 'claim', [index, wallet, amount, proof])
        assert.equal(await readBalance(wallet), amount)
      }
      const claimed = /MerkleDistributor: Drop already claimed/
      await assertRefused([ann.index, ann.wallet, ann.amount, ann.proof], claimed)
      for (const row of ROWS) assert.equal(await readBalance(row.wallet), row[asset])
      assert.equal(await readBalance(distributor.address), 0n)
    })

  await t.test(
    'OpenZeppelin’s library verifies each row of each tree, and none with one unit more',
    async () => {
      const verifier = await deployer.deploy(await compileVerifier(scratch))
      for (const [file, functionName, ...assets] of [
        ['allocation.json', 'isAllocated', 'pf', 'pls'],
        ['pf/openzeppelin.json', 'isPaid', 'pf'],
        ['pls/openzeppelin.json', 'isPaid', 'pls'],
      ] as const) {
        const dump = await readJson(file)
        const tree = StandardMerkleTree.load(dump as Parameters<typeof StandardMerkleTree.load<string[]>>[0])
        const verify = (row: number, [wallet, ...amounts]: unknown[]) =>
          deployer.read(verifier, functionName, [tree.root, tree.getProof(row), wallet, ...amounts])
        for (const [row, value] of tree.entries()) {
          const expected = ROWS[row] ?? assert.fail()
          assert.deepEqual(value, [expected.wallet, ...assets.map((asset) => String(expected[asset]))])
          assert.equal(await verify(row, value), true, file)
          const oneUnitMore = [...value.slice(0, -1), BigInt(value.at(-1) ?? '') + 1n]
          assert.equal(await verify(row, oneUnitMore), false, file)
        }
      }
    },
  )
})

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

/** Compiles OpenZeppelin's library with a contract that calls it. */
async function compileVerifier(scratch: string) {
  const library = import.meta.resolve('@openzeppelin/contracts/utils/cryptography/MerkleProof.sol')
  const file = path.join(scratch, 'Verifier.sol')
  await writeFile(file, (await readFile(fileURLToPath(library), 'utf8')) + VERIFIER)
  const { Verifier } = await compileSolidity(file)
  return Verifier ?? assert.fail()
}
