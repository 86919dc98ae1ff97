import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Shard, shardPath } from '#contract/allocation-shards.ts'
import { SHARDS_PLACE, siteReadme } from '#web/content/site/allocation-site.ts'
import { escapeHtml } from '#server/platform/html.ts'
import { proofOf } from '../merkle/standard-tree.ts'
import { packFiles, type PackFile, type PackSource } from '../pack-files.ts'
import type { SitePage } from '../protocol.ts'
import { type ShardRange, shardsOf } from './shards.ts'

/** The folder of the pack within the site. */
const PACK = 'pack'

/** The files of the static site: a page, its shards and the pack, with relative links only. */
export function* siteFiles(source: PackSource, page: SitePage): Generator<PackFile> {
  const { map, shards } = shardsOf(source.table)
  const html = page.html.replace(SHARDS_PLACE, () => escapeHtml(JSON.stringify(map)))
  yield { path: 'index.html', content: () => [html] }
  yield* assetsOf(page)
  yield { path: 'README.md', content: () => [siteReadme(source.facts)] }
  // GitHub Pages would otherwise send everything through a site generator first.
  yield { path: '.nojekyll', content: () => [] }
  for (const shard of shards) yield { path: shardPath(shard.key), content: () => [shardText(source, shard)] }
  for (const file of packFiles(source)) yield { ...file, path: `${PACK}/${file.path}` }
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
