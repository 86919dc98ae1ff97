import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8')

const documents = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md'], { cwd: ROOT })

/** Paths in backticks, below a folder of this repository, without wildcards. */
const PATH = /`((?:contract|server|web|messages|e2e|bench|chaos|tools|docs|deploy)\/[\w./-]+)`/g

test('every path that a document names exists', async () => {
  const named = await Promise.all(
    documents.map(async (document) =>
      [...(await read(document)).matchAll(PATH)].map(([, file]) => ({ document, file: file ?? '' })),
    ),
  )
  assert.ok(named.flat().length > 200, 'paths are found')
  const missing = named.flat().filter(({ file }) => !existsSync(path.join(ROOT, file)))
  assert.deepEqual(missing, [])
})

test('every npm script that a document names exists', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  for (const document of documents)
    for (const [, name = ''] of (await read(document)).matchAll(/npm run ([a-z:-]+)/g))
      assert.ok(name in scripts, `${document} names npm run ${name}`)
})

test('every variable of the environment is documented', async () => {
  const operating = (await read('docs/operating.md')) + (await read('README.md'))
  const config = await read('server/config/config.ts')
  const names = [...config.matchAll(/^ {2}([A-Z_]+): z/gm)].map(([, name]) => name)
  assert.ok(names.length > 20, 'variables are found')
  const missing = names.filter(
    (name) => !operating.includes(`\`${name}\``) && !operating.includes(`${name}=`),
  )
  assert.deepEqual(missing, [])
})
