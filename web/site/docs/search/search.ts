import MiniSearch from 'minisearch'
import { type FoundPart, SEARCH_OPTIONS } from './options.ts'

/** A part of a page that was found, with the words that were. */
export type Found = FoundPart & { terms: readonly string[] }

/** Finds parts of pages, the best first. */
export type Search = (query: string) => Found[]

/** Loads the index, which the build has made. */
export async function loadIndex(): Promise<Search> {
  const { default: index } = await import('virtual:docs-index')
  return searchIn(index)
}

/** Searches an index as the build makes it. */
export function searchIn(index: string): Search {
  const parts = MiniSearch.loadJSON(index, SEARCH_OPTIONS)
  return (query) =>
    parts.search(query).map(({ terms, ...stored }) => ({ ...(stored as unknown as FoundPart), terms }))
}
