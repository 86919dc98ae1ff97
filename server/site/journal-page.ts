import type { PublishedHead } from '#contract/journal.ts'
import type { ReadHeads } from '../journal/heads.ts'
import { precompress, type PrecompressedFile } from './precompressed.ts'

/**
 * The one page that changes while the server runs: rendered when it is first asked for, and again when another head
 * was published.
 */
export function journalPage(
  render: (heads: readonly PublishedHead[]) => string,
  readHeads: ReadHeads,
): () => Promise<PrecompressedFile> {
  let shown: { heads: readonly PublishedHead[]; page: Promise<PrecompressedFile> } | undefined
  return async () => {
    const heads = await readHeads()
    if (shown?.heads !== heads)
      shown = { heads, page: precompress('text/html; charset=utf-8', render(heads)) }
    return shown.page
  }
}
