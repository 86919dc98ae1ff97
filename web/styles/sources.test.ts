import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '../..')
const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)[^'"]*?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g

/** The files that pages import, directly or indirectly, relative to the repository. */
function importedByPages(): Set<string> {
  const visited = new Set<string>()
  const visit = (file: string) => {
    if (visited.has(file) || !existsSync(path.join(ROOT, file))) return
    visited.add(file)
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    for (const [, staticImport, dynamicImport] of source.matchAll(IMPORT)) {
      const name = staticImport ?? dynamicImport ?? ''
      if (name.startsWith('#web/')) visit(name.slice(1))
      if (name.startsWith('.')) visit(path.join(path.dirname(file), name))
    }
  }
  for (const file of globSync('web/site/**/*.{ts,tsx}', { cwd: ROOT })) visit(file)
  return visited
}

/** The files that Tailwind does not read for the pages' style sheet, relative to the repository. */
function excludedFromPages(): Set<string> {
  const sheet = readFileSync(path.join(ROOT, 'web/styles/site.css'), 'utf8')
  const globs = [...sheet.matchAll(/@source not '\.\.\/([^']+)'/g)].map(([, glob]) => `web/${glob}`)
  assert.notDeepEqual(globs, [])
  return new Set(globs.flatMap((glob) => globSync(glob, { cwd: ROOT })))
}

test('the pages’ style sheet excludes no file that a page imports', () => {
  const excluded = excludedFromPages()
  const wronglyExcluded = [...importedByPages()].filter((file) => excluded.has(file))
  assert.deepEqual(wronglyExcluded, [])
})

test('the pages’ style sheet excludes every component that no page imports', () => {
  const [imported, excluded] = [importedByPages(), excludedFromPages()]
  const components = globSync('web/{features,ui}/**/*.tsx', { cwd: ROOT }).toSorted()
  const wronglyIncluded = components.filter((file) => !imported.has(file) && !excluded.has(file))
  assert.deepEqual(wronglyIncluded, [])
})

/** Expands the first braces of a pattern: `{a,b}.{ts,tsx}` becomes `a.{ts,tsx}` and `b.{ts,tsx}`. */
function expandBraces(pattern: string): string[] {
  const [, before = '', names, after = ''] = /^(.*?)\{([^}]+)\}(.*)$/.exec(pattern) ?? []
  return names === undefined ? [pattern] : names.split(',').map((name) => before + name + after)
}

test('every source that a style sheet names exists', () => {
  const missing = globSync('web/**/*.css', { cwd: ROOT }).flatMap((sheet) => {
    const css = readFileSync(path.join(ROOT, sheet), 'utf8')
    return [...css.matchAll(/@source (?:not )?'([^']+)'/g)]
      .flatMap(([, pattern = '']) => expandBraces(pattern))
      .filter((name) => globSync(name, { cwd: path.join(ROOT, path.dirname(sheet)) }).length === 0)
      .map((name) => `${sheet}: ${name}`)
  })
  assert.deepEqual(missing, [])
})
