import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShardLookup } from './read-shard.ts'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const ENTRY = { pf: '5', pls: '7', proof: ['0xab'] }

/** Looks up a wallet in files that all contain `answer`. Adds the paths it fetches to `fetchedPaths`. */
function findIn(answer: unknown, wallet: string, fetchedPaths: string[] = []) {
  const find = createShardLookup({ bits: 9, split: ['9/0b5', '10/16a'] }, async (path) => {
    fetchedPaths.push(path)
    return answer
  })
  return find(wallet)
}

test("fetches one file: the shard of the wallet's shortest prefix that is not split", async () => {
  const fetchedPaths: string[] = []
  const allotment = await findIn({ [WALLET]: ENTRY }, WALLET, fetchedPaths)
  assert.deepEqual(allotment, { wallet: WALLET, amounts: { pf: '5', pls: '7' }, proof: ['0xab'] })
  // 5aa in binary is 0101 1010 1010. Its first 9, 10 and 11 bits are 0b5, 16a and 2d5.
  assert.deepEqual(fetchedPaths, ['shards/11/2d/5.json'])
})

test('finds nothing for a wallet that its shard lacks, or for the name of an inherited property', async () => {
  assert.equal(await findIn({}, WALLET), null)
  assert.equal(await findIn({}, '__proto__'), null)
})

test('rejects an answer that is not a shard', async () => {
  for (const answer of [null, 'a page', 404]) await assert.rejects(findIn(answer, WALLET), TypeError)
})
