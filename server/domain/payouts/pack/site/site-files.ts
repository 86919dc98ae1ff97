import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  MAX_SHARD_BITS,
  type Shard,
  shardKey,
  type ShardMap,
  shardPath,
} from '#contract/allocation-shards.ts'
import { SHARDS_PLACE, siteReadme } from '#web/content/site/allocation-site.ts'
import { escapeHtml } from '#server/platform/html.ts'
import { proofOf } from '../merkle/standard-tree.ts'
import { packFiles, type PackFile, type PackSource } from '../pack-files.ts'
import type { RowTable } from '../row-table.ts'
import type { SitePage } from '../types.ts'

const PACK_FOLDER = 'pack'

/** The files of the static site: a page, its shards (with some rows each) and the pack, linked relatively. */
export function* siteFiles(source: PackSource, page: SitePage): Generator<PackFile> {
  const { map, shards } = shardsOf(source.table)
  const html = page.html.replace(SHARDS_PLACE, () => escapeHtml(JSON.stringify(map)))
  yield { path: 'index.html', content: () => [html] }
  yield* assetsOf(page)
  yield { path: 'README.md', content: () => [siteReadme(source.facts)] }
  // Without this file, GitHub Pages would run everything through a site generator.
  yield { path: '.nojekyll', content: () => [] }
  for (const shard of shards) yield { path: shardPath(shard.key), content: () => [shardText(source, shard)] }
  for (const file of packFiles(source)) yield { ...file, path: `${PACK_FOLDER}/${file.path}` }
}

/** The rows from `first` to the one before `end`. */
type ShardRange = { key: string; first: number; end: number }

/** On average a shard has 8 to 16 recipients. */
const MAX_MEAN_RECIPIENTS = 16
/** A shard with more recipients is split. */
export const MAX_RECIPIENTS = 32

/**
 * Divides the rows among shards by their wallets' first bits. A shard without rows exists too: a missing file
 * then means that the check failed, not that a wallet gets nothing.
 */
function shardsOf(table: RowTable): { map: ShardMap; shards: ShardRange[] } {
  let bits = 0
  while (table.count > MAX_MEAN_RECIPIENTS * 2 ** bits && bits < MAX_SHARD_BITS) bits += 1
  const shards: ShardRange[] = []
  const split: string[] = []

  /** Adds the shard of a prefix, or the shards of its halves. @returns the first row after them. */
  function addShards(prefix: number, length: number, first: number): number {
    let end = first
    while (end < table.count && table.prefix(end, length) === prefix) end += 1
    const key = shardKey(prefix, length)
    if (end - first <= MAX_RECIPIENTS || length === MAX_SHARD_BITS) shards.push({ key, first, end })
    else {
      split.push(key)
      const middle = addShards(2 * prefix, length + 1, first)
      addShards(2 * prefix + 1, length + 1, middle)
    }
    return end
  }

  let row = 0
  for (let prefix = 0; prefix < 2 ** bits; prefix += 1) row = addShards(prefix, bits, row)
  return { map: { bits, split }, shards }
}

function* assetsOf({ assets }: SitePage): Generator<PackFile> {
  for (const entry of readdirSync(assets, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(assets, file).replaceAll(path.sep, '/')
    if (entry.isFile()) yield { path: name, content: () => [readFileSync(file)] }
  }
}

function shardText({ table, tree }: PackSource, { first, end }: ShardRange): string {
  const shard: Shard = {}
  for (let row = first; row < end; row += 1)
    shard[table.wallet(row)] = {
      pf: table.amount(row, 'pf').toString(),
      pls: table.amount(row, 'pls').toString(),
      proof: proofOf(tree, row),
    }
  return `${JSON.stringify(shard)}\n`
}
