/** The first page of the documentation, which is not in the site map because it is in English only. */
export const DOCS_PATH = '/docs'

/** The script of the documentation's pages, relative to the repository. */
export const DOCS_ENTRY = 'web/site/docs/client.ts'
