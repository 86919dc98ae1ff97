import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const CODE = /\.(ts|tsx|mjs)$/
/** The code of the product and of its build, without tests. */
const PRODUCT = /^(server|web|contract|tools)\/(?!(.*\/)?testing\/)(?!.*\.test\.ts$)|^campaign\.config\.ts$/
/** Tests that open the built site instead of importing it. */
const SITE_TESTS = /^(e2e|server\/site)\//
const DOCUMENT_TESTS = /^(tools|server\/site|e2e\/site)\/docs/
/** Tests that run a command name this file. */
const BOOTSTRAP = 'tools/bootstrap.mjs'

/** The files that have changed since this branch left `ref`, committed or not. */
export function changedSince(root: string, ref: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const base = git('merge-base', ref, 'HEAD')
  const lists = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
  return lists.flatMap((list) => list.split('\n')).filter((file) => file !== '')
}

/**
 * The tests that a change can affect:
 * - code: the tests that import it, directly or not
 * - code of the product: also every browser test, test of the built site and test that runs a command
 * - a document: the tests of documents
 * - any other file (a style sheet, a migration, the lock file): all tests
 */
export function affectedTests(root: string, changed: readonly string[], tests: readonly string[]): string[] {
  const notCode = changed.filter((file) => !CODE.test(file))
  const documents = notCode.filter((file) => file.endsWith('.md'))
  if (notCode.length > documents.length) return [...tests]
  const isProduct = changed.some((file) => CODE.test(file) && PRODUCT.test(file))
  const files = new Set(changed)
  const graph = readImports(root)
  return tests.filter((test) => {
    if (isProduct && SITE_TESTS.test(test)) return true
    if (documents.length > 0 && DOCUMENT_TESTS.test(test)) return true
    const reached = reachableFrom(test, graph)
    return [...reached].some((file) => files.has(file)) || (isProduct && reached.has(BOOTSTRAP))
  })
}

type Imports = ReadonlyMap<string, readonly string[]>

function readImports(root: string): Imports {
  const files = globSync('{server,contract,tools,web,chaos,e2e,bench,deploy}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  return new Map(
    files.map((file) => {
      const quoted = readFileSync(path.join(root, file), 'utf8').matchAll(/'([^'\n]+)'/g)
      return [file, [...quoted].flatMap(([, name = '']) => resolve(root, file, name) ?? [])]
    }),
  )
}

/** The file that a string in `file` names: relative to it, to the checkout, or with `#`. */
function resolve(root: string, file: string, name: string): string | undefined {
  const target = name.replace(/^#/, '')
  if (!CODE.test(target)) return undefined
  return [path.join(path.dirname(file), target), target].find((candidate) =>
    existsSync(path.join(root, candidate)),
  )
}

function reachableFrom(file: string, graph: Imports): Set<string> {
  const reached = new Set([file])
  for (const each of reached) for (const next of graph.get(each) ?? []) reached.add(next)
  return reached
}
