import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { startPayingChain } from '#server/testing/builders/paying-chain.ts'
import { readArtifact } from '#server/testing/chain/deployer.ts'
import { exportPack } from './build-pack.ts'
import { packFacts, payoutRows } from './testing/allocation.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import type { PayoutRow } from './types.ts'

/** 13 recipients of PF and 11 of PLS: odd numbers, so that each tree has a node without a sibling. */
const ROWS = payoutRows(13).map((row, place): PayoutRow => ({
  ...row,
  pf: row.pf + 1n, // never 0
  pls: place < 11 ? row.pls + 1n : 0n,
}))

type Claims = {
  merkleRoot: string
  tokenTotal: string
  claims: Record<string, { index: number; amount: string; proof: string[] }>
}

test('Uniswap’s contract on a chain accepts the proofs of an exported pack', async (t) => {
  const folder = path.join(await scratchFolder(t), 'pack')
  await exportPack(ROWS, packFacts(ROWS), folder)
  const { deployer, token, wrapped } = await startPayingChain(t)

  for (const [asset, paidToken, name] of [
    ['pf', token, 'PF'],
    ['pls', wrapped, 'wrapped coins for its PLS'],
  ] as const)
    await t.test(`each wallet is paid its own ${name}, once`, async () => {
      const file = await readFile(path.join(folder, `${asset}/uniswap.json`), 'utf8')
      const { merkleRoot, tokenTotal, claims } = JSON.parse(file) as Claims
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
})
