import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readCatalogue } from './catalogue.ts'
import { problemsOf } from './check.ts'
import { scratchFolder, writeFiles } from '#server/testing/scratch-folder.ts'
import { compileNamespace, declareNamespace } from './compile.ts'

type Compiled = { SLOTS: Record<string, unknown> }

/** Loads a compiled namespace, from a file in the checkout, which has the library that the code imports. */
async function load(t: TestContext, source: string): Promise<Compiled> {
  const folder = await mkdtemp(path.resolve(import.meta.dirname, '../../.cache/messages-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'compiled.mjs')
  await writeFile(file, source)
  return (await import(pathToFileURL(file).href)) as Compiled
}

const call = (message: unknown, values: object): unknown => (message as (values: object) => string)(values)

test('a message without placeholders becomes a string, any other message a function', async (t) => {
  const messages = { SLOTS: { title: 'Slots', left: '{left, number} of {name}', deep: { a: 'A' } } }
  const { SLOTS } = await load(t, compileNamespace(messages, 'en'))
  assert.equal(SLOTS['title'], 'Slots')
  assert.deepEqual(SLOTS['deep'], { a: 'A' })
  assert.equal(call(SLOTS['left'], { left: 12_000, name: 'PF' }), '12,000 of PF')
  assert.match(
    declareNamespace(messages),
    /"left": \(values: \{ left: number; name: string \| number \}\) => string/,
  )
})

test('Arabic has six plurals, Latin digits, and isolates around names', async (t) => {
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other']
  const text = `{count, plural, ${forms.map((form) => `${form} {${form} #}`).join(' ')}}`
  const messages = { text, name: 'x {name}', word: '{n, plural, one {of {who}} other {slots}}' }
  const { SLOTS } = await load(t, compileNamespace({ SLOTS: messages }, 'ar'))
  const texts = [0, 1, 2, 3, 11, 100, 1_000_000].map((count) => call(SLOTS['text'], { count }))
  assert.deepEqual(texts, ['zero 0', 'one 1', 'two 2', 'few 3', 'many 11', 'other 100', 'other 1,000,000'])
  assert.equal(call(SLOTS['name'], { name: '@ann' }), 'x \u2068@ann\u2069')
  assert.equal(call(SLOTS['word'], { n: 1, who: 'ann' }), 'of \u2068ann\u2069')
  assert.equal(call(SLOTS['word'], { n: 7, who: 'ann' }), 'slots')
})

test('a sentence does not break after the “e-” of the Portuguese “e-mail”, and a label of only that word is unchanged', async (t) => {
  const messages = { label: 'E-mail', hint: 'Um código por e-mail.', other: 'pré-mineração' }
  const { SLOTS } = await load(t, compileNamespace({ SLOTS: messages }, 'pt-BR'))
  assert.deepEqual(SLOTS, { label: 'E-mail', hint: 'Um código por e-\u2060mail.', other: 'pré-mineração' })
})

/** Writes files into a new folder's `messages/`: strings unchanged, anything else as JSON. */
async function writeCatalogues(t: TestContext, files: Record<string, unknown>) {
  const root = await scratchFolder(t)
  const texts = Object.entries(files).map(([name, content]) => [
    `messages/${name}`,
    typeof content === 'string' ? content : JSON.stringify(content),
  ])
  await writeFiles(root, Object.fromEntries(texts))
  return root
}

const english = { A: { plain: 'a', link: '<b>x</b> {n}', count: '{n, plural, one {#} other {#}}' } }

test('names a fault of each kind in a translation', async (t) => {
  const faults = {
    unknown: [{ A: { other: 'x' } }, /A\.other does not exist/],
    placeholder: [{ A: { link: '<b>x</b> {m}' } }, /A\.link: has <b> \{m\}, needs <b> \{n\}/],
    tag: [{ A: { link: 'x {n}' } }, /A\.link: has \{n\}, needs <b> \{n\}/],
    plurals: [{ A: { count: '{n, plural, one {#} other {#}}' } }, /A\.count: has no plural for/],
    foreign: [
      { A: { count: '{n, plural, zero {#} one {#} two {#} few {#} many {#} other {#} lots {#}}' } },
      /A\.count: has plurals that the language lacks: lots/,
    ],
    syntax: [{ A: { plain: '{n' } }, /A\.plain: /],
  } as const
  for (const [name, [arabic, expected]] of Object.entries(faults)) {
    const root = await writeCatalogues(t, { 'en/a.json': english, 'ar/a.json': arabic })
    const found = problemsOf(root).filter((problem) => problem.startsWith('messages/ar/a.json: '))
    assert.equal(found.length, 1, name)
    assert.match(found[0] ?? '', expected)
  }
})

test('names messages that a translation lacks, and files that the default language does not have', async (t) => {
  const missing = problemsOf(await writeCatalogues(t, { 'en/a.json': english }))
  assert.ok(missing.includes('messages/ar/a.json lacks A.plain: “a”'), missing.join('\n'))
  for (const problem of missing) assert.match(problem, /lacks/)
  const withUnknownFile = await writeCatalogues(t, { 'en/a.json': english, 'ar/b.json': english })
  assert.match(problemsOf(withUnknownFile).join(), /no messages\/en file/)
})

test('reading fails with the name of a file that is not JSON, and of an unknown constant', async (t) => {
  const broken = await writeCatalogues(t, { 'en/a.json': '{' })
  assert.throws(() => readCatalogue(broken, 'en'), /en\/a\.json: /)
  const unknown = await writeCatalogues(t, { 'en/a.json': { A: { x: '{NO_SUCH}' } } })
  assert.throws(() => readCatalogue(unknown, 'en'), /has no NO_SUCH/)
})
