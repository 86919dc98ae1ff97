import MiniSearch, { type Options } from 'minisearch'

/** A part of a page that can be found: from one heading to the next. */
export type DocsPart = {
  /** Its address, with the heading's anchor. */
  url: string
  /** The page's title. */
  title: string
  /** The page's title for its first part, else empty, so that a title finds its page once. */
  page: string
  /** Empty for what stands above the first heading. */
  heading: string
  text: string
  /** The beginning of the text, which is stored with the index. */
  excerpt: string
}

type StoredPart = Pick<DocsPart, 'url' | 'title' | 'heading' | 'excerpt'>

/**
 * Terms that the index leaves out, because figures would double it; a search for one finds nothing. Two or
 * three digits (exit codes, statuses) stay.
 */
const FIGURE = /^(?!\d{2,3}$)[\d.,:×%-]+$/

/** Read by both the build, which makes the index, and the browser, which searches it. */
export const SEARCH_OPTIONS: Options<DocsPart> = {
  idField: 'url',
  fields: ['page', 'heading', 'text'],
  storeFields: ['url', 'title', 'heading', 'excerpt'],
  processTerm: (term) => (FIGURE.test(term) ? null : term.toLowerCase()),
  searchOptions: {
    boost: { page: 4, heading: 3 },
    // Pages, which say how, come before decisions, which say why.
    boostDocument: (url) => (String(url).startsWith('/docs/decisions/') ? 0.4 : 1),
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    processTerm: (term) => term.toLowerCase(),
  },
}

/** A part that was found, with the words of it that matched. */
export type SearchResult = StoredPart & { terms: readonly string[] }

/** Finds parts of pages, the best first. */
export type Search = (query: string) => SearchResult[]

/** Loads the search, with the index that the build has made. */
export async function loadSearch(): Promise<Search> {
  const { default: index } = await import('virtual:docs-index')
  return searchIn(index)
}

/** The search in an index that the build has made. */
export function searchIn(index: string): Search {
  const parts = MiniSearch.loadJSON(index, SEARCH_OPTIONS)
  return (query) =>
    parts.search(query).map(({ terms, ...stored }) => ({ ...(stored as unknown as StoredPart), terms }))
}
