import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { LEAF_ENCODING } from '#contract/allocation.ts'
import { type Shard, type ShardMap, shardKeyOfWallet, shardPath } from '#contract/allocation-shards.ts'
import { toChecksum } from '#server/platform/eip55.ts'
import { exportSiteOf, payoutRows } from '../testing/allocation.ts'
import { MAX_RECIPIENTS } from './site-files.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import type { PayoutRow } from '../types.ts'

async function siteOf(t: TestContext, rows: readonly PayoutRow[]) {
  const folder = path.join(await scratchFolder(t), 'site')
  const root = await exportSiteOf(rows, folder)
  const read = (file: string) => readFile(path.join(folder, file), 'utf8')
  const html = await read('index.html')
  const map = JSON.parse(
    (/data-shards="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"'),
  ) as ShardMap
  const shardOf = async (wallet: string) =>
    JSON.parse(await read(shardPath(shardKeyOfWallet(wallet, map)))) as Shard
  return { root, html, map, read, shardOf }
}

for (const [count, bits] of [
  [1, 0],
  // With 4 bits, a shard would have 19 wallets on average; at most 16 on average are allowed.
  [300, 5],
] as const)
  test(`each of ${count} wallets is in one small file, with a proof of its amounts`, async (t) => {
    const rows = payoutRows(count)
    const { root, map, shardOf } = await siteOf(t, rows)
    assert.equal(map.bits, bits)
    for (const { wallet, pf, pls } of rows) {
      const shard = await shardOf(wallet)
      assert.ok(Object.keys(shard).length <= MAX_RECIPIENTS)
      const entry = shard[wallet]
      assert.ok(entry)
      assert.deepEqual([BigInt(entry.pf), BigInt(entry.pls)], [pf, pls])
      const values = [wallet, entry.pf, entry.pls]
      assert.ok(StandardMerkleTree.verify(root, [...LEAF_ENCODING], values, [...entry.proof]))
    }
  })

/** Rows whose wallets begin with `start`, like vanity addresses, and differ in the five digits after it. */
const alike = (start: string, count: number): PayoutRow[] =>
  Array.from({ length: count }, (_, index) => {
    // The first of these digits differ too, so that few splits are needed.
    const digits = (index * 8_000).toString(16).padStart(5, '0')
    return { wallet: toChecksum(`0x${`${start}${digits}`.padEnd(40, '0')}`), pf: 1n, pls: 0n }
  })

test('a wallet that gets nothing has a shard too, even if the shard is empty', async (t) => {
  // Three of the four shards are empty, and the other one is split.
  const { map, shardOf } = await siteOf(t, alike('00', 40))
  assert.equal(map.bits, 2)
  for (const { wallet } of payoutRows(200)) assert.equal((await shardOf(wallet))[wallet], undefined)
})

test('only shards that are too full are split', async (t) => {
  const rows = [
    ...alike('00', 40),
    ...alike('8000', 20),
    ...payoutRows(50).filter(({ wallet }) => /^0x[9a-f]/i.test(wallet)),
  ]
  const { map, shardOf } = await siteOf(t, rows)
  assert.ok(map.split.length > 0)
  // Only the prefixes of wallets that begin with 00 consist of zeros.
  for (const key of map.split) assert.match(key, /^\d+\/0+$/)
  for (const { wallet } of rows) {
    const shard = await shardOf(wallet)
    assert.ok(wallet in shard)
    assert.ok(Object.keys(shard).length <= MAX_RECIPIENTS)
  }
})

test('wallets that share their first 32 bits stay in one shard, even if it is too full', async (t) => {
  const rows = alike('abcdef0123', 40)
  const { shardOf } = await siteOf(t, rows)
  assert.equal(Object.keys(await shardOf(rows[0]?.wallet ?? '')).length, 40)
})

test('the page states its root without scripts, and links only files whose hashes are in SHA256SUMS', async (t) => {
  const { html, root, read } = await siteOf(t, payoutRows(3))
  assert.match(html.replaceAll(/<[^>]*>/g, ' '), new RegExp(root))
  const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link ?? '')
  for (const file of ['check.js', 'check.css', 'pack/allocation.json']) assert.ok(links.includes(file), file)
  for (const link of links) assert.match(link, /^[a-zA-Z][^:]*$/)
  const fonts = [...(await read('check.css')).matchAll(/url\(([^)]+)\)/g)].map(([, url]) => url ?? '')
  assert.ok(fonts.length > 0)
  const foreign = fonts.filter((url) => !/^(\.\/)?fonts\/|^["']?data:/.test(url))
  assert.deepEqual(foreign, [])
  const sums = await read('SHA256SUMS')
  for (const link of links.filter((file) => file !== 'SHA256SUMS'))
    assert.ok(sums.includes(`  ${link}\n`), link)
})
