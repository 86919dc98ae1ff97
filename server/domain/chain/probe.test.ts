import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { SELECTORS } from '#contract/proofs/abi.ts'
import { MINT_SELECTORS } from '#contract/proofs/ownership.ts'
import { PROBE_CODE } from '#contract/proofs/probe-code.ts'
import { compileSolidity } from '#server/testing/chain/solidity.ts'

test('ships the probe as its source compiles', async () => {
  const { TaxProbe } = await compileSolidity(
    path.resolve(import.meta.dirname, '../../../contract/proofs/probe.sol'),
  )
  assert.equal(PROBE_CODE, TaxProbe?.bytecode, 'Run node tools/compile-probe.ts')
})

test('knows the selectors of its functions', () => {
  for (const [signature, selector] of Object.entries({ ...SELECTORS, ...MINT_SELECTORS }))
    assert.equal(selector, Buffer.from(keccak_256(Buffer.from(signature))).toString('hex', 0, 4), signature)
})
