/** The first page of the documentation. Not in the site map, because it is in English only. */
export const DOCS_PATH = '/docs'

/** The script of the documentation's pages: a path in the repository. */
export const DOCS_ENTRY = 'web/site/docs/client.ts'
