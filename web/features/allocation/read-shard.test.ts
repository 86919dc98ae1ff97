import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shardReader } from './read-shard.ts'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const ENTRY = { pf: '5', pls: '7', proof: ['0xab'] }

/** A lookup in files that all hold `answer`. Adds the path of each file that it fetches to `fetchedPaths`. */
const findIn = (answer: unknown, fetchedPaths: string[] = []) =>
  shardReader({ bits: 9, split: ['9/0b5', '10/16a'] }, async (path) => {
    fetchedPaths.push(path)
    return answer
  })

test("fetches one file: the shard of the wallet's shortest prefix that is not split", async () => {
  const fetchedPaths: string[] = []
  const allotment = await findIn({ [WALLET]: ENTRY }, fetchedPaths)(WALLET)
  assert.deepEqual(allotment, { wallet: WALLET, amounts: { pf: '5', pls: '7' }, proof: ['0xab'] })
  // 5aa in binary is 0101 1010 1010: its first 11 bits are 2d5.
  assert.deepEqual(fetchedPaths, ['shards/11/2d/5.json'])
})

test('finds nothing for a wallet that its shard lacks, even one named like a property of every object', async () => {
  assert.equal(await findIn({})(WALLET), null)
  assert.equal(await findIn({})('__proto__'), null)
})

test('rejects an answer that is not a shard', async () => {
  for (const answer of [null, 'a page', 404]) await assert.rejects(findIn(answer)(WALLET), TypeError)
})
