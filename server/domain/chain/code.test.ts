import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { SELECTORS } from '#contract/token-proofs/abi.ts'
import { hasSelector, scanCode } from '#contract/token-proofs/code.ts'
import { MINT_SELECTORS } from '#contract/token-proofs/ownership.ts'
import { PROBE_CODE } from '#contract/token-proofs/probe-code.ts'
import { compileSolidity } from '#server/testing/chain/solidity.ts'

/** The instruction by which a contract may run code of others, or be removed. */
const escapeOf = (code: string) => scanCode(`0x${code}`).escape

test('finds the constants that code compares a call with', () => {
  const scan = scanCode('0x60003560e01c806370a0823114601a578063a9059cbb14601a5762123456145b00')
  const constants = [...scan.constants].map((constant) => constant.toString(16))
  assert.deepEqual(constants, ['70a08231', 'a9059cbb', '123456'])
  assert.ok(hasSelector(scan, 'a9059cbb'))
  assert.ok(hasSelector(scan, '00123456'), 'a selector that starts with zero')
  assert.ok(!hasSelector(scan, '40c10f19'))
})

test('finds instructions that run other code or remove the contract, if they can be reached', () => {
  // 5b is JUMPDEST, 5f PUSH0, 60, 61 and 7f push one, two and 32 bytes, f4 is DELEGATECALL.
  assert.equal(escapeOf('5ff4'), 'DELEGATECALL')
  assert.equal(escapeOf('5ff2'), 'CALLCODE')
  assert.equal(escapeOf('33ff'), 'SELFDESTRUCT')
  assert.equal(escapeOf('00f4'), undefined, 'behind STOP')
  assert.equal(escapeOf('fef4'), undefined, 'behind INVALID')
  assert.equal(escapeOf('0cf4'), undefined, 'behind an instruction that no fork knows')
  assert.equal(escapeOf('005bf4'), 'DELEGATECALL', 'behind STOP, but a jump leads there')
  assert.equal(escapeOf('00605bf4'), undefined, 'a JUMPDEST in data is no target of a jump')
  assert.equal(escapeOf('61fff400'), undefined, 'data')
  assert.equal(escapeOf('5c5d5e4a491ef4'), 'DELEGATECALL', 'behind instructions of later forks')
  assert.equal(escapeOf(`7f${'00'.repeat(32)}f4`), 'DELEGATECALL')
  assert.equal(escapeOf('7ff4'), undefined, 'data that the end cuts off')
  assert.equal(escapeOf(''), undefined)
})

test('recognizes a minimal proxy, and its target', () => {
  const target = 'ab'.repeat(20)
  const clone = `363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`
  assert.equal(scanCode(`0x${clone}`).cloneOf, `0x${target}`)
  assert.equal(scanCode(`0x${clone}00`).cloneOf, undefined, 'longer code')
})

test('the code of the probe is what its source compiles to', async () => {
  const { TaxProbe } = await compileSolidity(
    path.resolve(import.meta.dirname, '../../../contract/token-proofs/probe.sol'),
    { optimize: true },
  )
  assert.equal(PROBE_CODE, TaxProbe?.bytecode, 'Run node tools/compile-probe.ts')
})

test('each selector matches its signature', () => {
  for (const [signature, selector] of Object.entries({ ...SELECTORS, ...MINT_SELECTORS }))
    assert.equal(selector, Buffer.from(keccak_256(Buffer.from(signature))).toString('hex', 0, 4), signature)
})
