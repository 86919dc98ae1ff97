import MiniSearch from 'minisearch'
import path from 'node:path'
import type { Plugin } from 'vite'
import { SEARCH_OPTIONS } from '../../web/site/docs/search/search.ts'
import { type Compiled, compileDocs } from './compile.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The module with the pages. Only the renderer imports it. */
const PAGES = 'virtual:docs'
/** The module with the search index. The browser loads it when a visitor searches. */
const INDEX = 'virtual:docs-index'
/** By convention, the id of a module that is not a file begins with a null character. */
const virtualId = (name: string) => `\0${name}`

/** Puts the documentation into the build, so that servers do not need the documents. */
export function docs(): Plugin {
  let compiling: Promise<Compiled> | undefined
  return {
    name: 'docs',
    resolveId: (source) => (source === PAGES || source === INDEX ? virtualId(source) : undefined),
    async load(id) {
      if (id !== virtualId(PAGES) && id !== virtualId(INDEX)) return undefined
      if (id === virtualId(PAGES) && this.environment.name === 'client')
        throw new Error(
          'The browser gets the pages of the documentation as HTML; its code must not import them',
        )
      compiling ??= compileDocs(ROOT)
      const { documentation, parts, files, problems } = await compiling
      for (const problem of problems) this.warn(problem)
      for (const file of files) this.addWatchFile(path.join(ROOT, file))
      return moduleOf(id === virtualId(PAGES) ? documentation : searchIndex(parts))
    },
    watchChange() {
      compiling = undefined
    },
  }
}

/** `JSON.parse` of a string literal loads faster than an object literal. */
const moduleOf = (value: unknown) =>
  `export default ${typeof value === 'string' ? JSON.stringify(value) : `JSON.parse(${JSON.stringify(JSON.stringify(value))})`}`

export function searchIndex(parts: Compiled['parts']): string {
  const index = new MiniSearch(SEARCH_OPTIONS)
  index.addAll(parts)
  return JSON.stringify(index)
}
