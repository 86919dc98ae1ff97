import type { PublishedHead } from '#contract/journal.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import { precompress, type PrecompressedFile } from './precompressed.ts'

/**
 * The journal's page, rendered on first request and again after a new head is published.
 */
export function journalPage(
  render: (heads: readonly PublishedHead[]) => string,
  readHeads: ReadHeads,
): () => Promise<PrecompressedFile> {
  let cached: { heads: readonly PublishedHead[]; page: Promise<PrecompressedFile> } | undefined
  return async () => {
    const heads = await readHeads()
    if (cached?.heads !== heads)
      cached = { heads, page: precompress('text/html; charset=utf-8', render(heads)) }
    return cached.page
  }
}
