import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '../..')

type Build = { program: string; sources: readonly string[] }
const { BUILDS } = (await import(new URL('./build.mjs', import.meta.url).href)) as {
  BUILDS: readonly Build[]
}

/** Matches imported files and files named by `path.join(ROOT, …)`. */
const NAMED = /(?:from |path\.join\(ROOT, )'([^'\n]+\.(?:ts|tsx))'/g
/** The builds list these folders as a whole, so imports within them need not be followed. */
const PRODUCT = /^(server|web|contract)\//

/** All files that a program imports or names, also indirectly: the loop visits the files that it adds. */
function filesBehind(program: string): Set<string> {
  const found = new Set([program])
  for (const file of found) {
    if (PRODUCT.test(file)) continue
    for (const [, name = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(NAMED))
      for (const target of [path.join(path.dirname(file), name), path.normalize(name.replace(/^#/, ''))])
        if (existsSync(path.join(ROOT, target))) found.add(target)
  }
  return found
}

test('each build lists all files that it depends on, so that a change of one outdates it', () => {
  const isSourceOf = ({ sources }: Build, file: string) =>
    sources.some((source) => file === source || file.startsWith(`${source}/`))
  for (const build of BUILDS) {
    const missing = [...filesBehind(build.program)].filter((file) => !isSourceOf(build, file))
    assert.deepEqual(missing, [], build.program)
  }
  const [site] = BUILDS
  assert.ok(site && filesBehind(site.program).has('tools/chunks.ts'), 'imports of imports are followed')
})

test('every source of a build exists', () => {
  for (const { program, sources } of BUILDS)
    for (const source of sources) assert.ok(existsSync(path.join(ROOT, source)), `${program}: ${source}`)
})
