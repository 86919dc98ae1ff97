import MiniSearch, { type Options } from 'minisearch'

/** A part of a page: from one heading to the next. */
export type DocsPart = {
  url: string
  title: string
  /** The page's title in its first part, else empty, so that a search for the title finds the page once. */
  page: string
  /** Empty above the first heading. */
  heading: string
  text: string
  /** The beginning of the text, which is stored with the index. */
  excerpt: string
}

type StoredPart = Pick<DocsPart, 'url' | 'title' | 'heading' | 'excerpt'>

/**
 * Numbers, which the index leaves out because they would double its size; a search for one finds nothing.
 * Numbers of two or three digits (exit codes, statuses) are indexed.
 */
const FIGURE = /^(?!\d{2,3}$)[\d.,:×%-]+$/

/** For the build, which makes the index, and for the browser, which searches it. */
export const SEARCH_OPTIONS: Options<DocsPart> = {
  idField: 'url',
  fields: ['page', 'heading', 'text'],
  storeFields: ['url', 'title', 'heading', 'excerpt'],
  processTerm: (term) => (FIGURE.test(term) ? null : term.toLowerCase()),
  searchOptions: {
    boost: { page: 4, heading: 3 },
    // Pages, which say how to do something, come before decisions, which say why.
    boostDocument: (url) => (String(url).startsWith('/docs/decisions/') ? 0.4 : 1),
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    processTerm: (term) => term.toLowerCase(),
  },
}

/** A part that was found. `terms`: its words that matched. */
export type SearchResult = StoredPart & { terms: readonly string[] }

export type Search = (query: string) => SearchResult[]

export async function loadSearch(): Promise<Search> {
  const { default: index } = await import('virtual:docs-index')
  return searchIn(index)
}

export function searchIn(index: string): Search {
  const parts = MiniSearch.loadJSON(index, SEARCH_OPTIONS)
  return (query) =>
    parts.search(query).map(({ terms, ...stored }) => ({ ...(stored as unknown as StoredPart), terms }))
}
