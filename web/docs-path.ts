/** The start of the documentation, which is beside the site map: it is in English only. */
export const DOCS_PATH = '/docs'

/** The script of its pages, relative to the repository. */
export const DOCS_ENTRY = 'web/site/docs/client.ts'
