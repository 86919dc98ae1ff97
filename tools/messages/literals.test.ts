import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type ESTree, parseSync, Visitor } from 'vite'

const ROOT = path.resolve(import.meta.dirname, '../..')

const READ_ATTRIBUTES = new Set([
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'alt',
  'caption',
  'label',
  'placeholder',
  'summary',
  'title',
])

const EXCEPTIONS: Readonly<Record<string, { reason: string; texts: readonly RegExp[] }>> = {
  'web/site/docs/words.ts': { reason: 'The documentation is in English.', texts: [/./] },
  'web/site/docs/client.ts': {
    reason: 'The documentation is in English.',
    texts: [/^Link copied$/, /^The search could not load\./],
  },
  'web/site/to-html.ts': { reason: 'Markup.', texts: [/^<!DOCTYPE html>/] },
  'web/site/docs/docs-layout.tsx': { reason: 'The names of keys.', texts: [/^(Ctrl|K)$/] },
}

/** An address or its beginning, which is the same in every language. */
const ADDRESS = /^(https:\/\/\S+|0x…)$/

/** Looks like a sentence: a capitalized word and another word. */
const SENTENCE = /(?:^|[\s.!?])\p{Lu}[\p{L}’]* \p{L}{2}/u

type Found = { text: string; line: number }

/** Finds texts of elements and attributes, and sentences in strings. */
function literalsIn(file: string, source: string): Found[] {
  const { program, errors } = parseSync(file, source)
  assert.deepEqual(errors, [], file)
  const found: Found[] = []
  const add = (text: string, { start }: { start: number }) => {
    if (/\p{L}/u.test(text) && !ADDRESS.test(text))
      found.push({ text: text.trim(), line: source.slice(0, start).split('\n').length })
  }
  // The positions of messages for developers, in errors and on the console.
  const technical = new Set<number>()
  const markTechnical = (call: { arguments: readonly ESTree.Node[] }) => {
    for (const { start, end } of call.arguments)
      for (let offset = start; offset < end; offset += 1) technical.add(offset)
  }
  const addSentence = (text: string, node: { start: number }) => {
    if (SENTENCE.test(text) && !technical.has(node.start)) add(text, node)
  }
  new Visitor({
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name.endsWith('Error')) markTechnical(node)
    },
    CallExpression: (node) => {
      const { callee } = node
      if (callee.type === 'MemberExpression' && source.slice(callee.start).startsWith('console.'))
        markTechnical(node)
    },
    JSXText: (node) => add(node.value, node),
    JSXAttribute: ({ name, value }) => {
      if (name.type === 'JSXIdentifier' && READ_ATTRIBUTES.has(name.name) && value?.type === 'Literal')
        add(value.value, value)
    },
    Literal: (node) => {
      if (typeof node.value === 'string') addSentence(node.value, node)
    },
    TemplateLiteral: (node) => {
      addSentence(node.quasis.map(({ value }) => value.raw).join('…'), node)
    },
  }).visit(program)
  return found
}

const isExcepted = (file: string, text: string) =>
  EXCEPTIONS[file]?.texts.some((pattern) => pattern.test(text)) ?? false

const sources = () => globSync('web/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !file.includes('.test.'))

test('texts that people read on the web are in the catalogue, not in code', () => {
  const files = sources()
  assert.ok(files.length > 300)
  const found = files.flatMap((file) =>
    literalsIn(file, readFileSync(path.join(ROOT, file), 'utf8'))
      .filter(({ text }) => !isExcepted(file, text))
      .map(({ text, line }) => `${file}:${line} “${text}”`),
  )
  assert.deepEqual(found, [], 'move these to messages/en/*.json')
})

test('figures, dates and lists are formatted in the language of the build', () => {
  const fixed = sources().filter((file) =>
    /(?:Intl\.\w+|toLocale\w*String)\((?:\)|\[?['"`])/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  )
  assert.deepEqual(fixed, [], 'take INTL_TAG or DATE_TAG from #messages/locale.js')
})

test('finds texts of elements and attributes, and sentences, but no messages for developers', () => {
  const source = `
    const words = { note: 'Opens soon.', both: \`of \${x}. Then try again\`, look: 'min-h-24 w-full', One: 'Two' }
    throw new TypeError('The server answered oddly')
    console.error('Copy failed', \`Of \${x} Really not\`)
    export const Part = () => (
      <p className="one two" title="Hint"><img alt="" />{'·'} Read <b aria-label={x}>it</b><i title="https://x.example" /></p>
    )
  `
  const found = literalsIn('part.tsx', source).map(({ text, line }) => `${line} ${text}`)
  assert.deepEqual(found, ['2 Opens soon.', '2 of …. Then try again', '6 Hint', '6 Read', '6 it'])
})

test('every exception is still needed', () => {
  for (const [file, { texts }] of Object.entries(EXCEPTIONS)) {
    const found = literalsIn(file, readFileSync(path.join(ROOT, file), 'utf8'))
    for (const pattern of texts)
      assert.ok(
        found.some(({ text }) => pattern.test(text)),
        `${file}: ${String(pattern)}`,
      )
  }
})
