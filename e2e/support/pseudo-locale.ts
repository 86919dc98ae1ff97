import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { parse } from '@messageformat/parser'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDERS = ['contract', 'deploy', 'dist', 'docs', 'generated', 'messages', 'server', 'tools', 'web']

/** Half of all files are precompressed. A server on this machine does not need them. */
const COMPRESSED = /\.(br|gz)$/

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = [...'äƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÄƁÇÐÉƑĜĤÎĴĶĻƜÑÖÞǪŔŠŢÛṼŴẊÝŽ']

/** Adds accents and makes words 40 % longer, as in some languages. Tags and code between backticks stay. */
export function pseudo(text: string): string {
  return text.replaceAll(/`[^`]*`|<\/?\w+>|[A-Za-z]+/g, (word) =>
    /^[`<]/.test(word) ? word : lengthened(word).replaceAll(/[A-Za-z]/g, (letter) => accent(letter)),
  )
}

const accent = (letter: string): string => ACCENTED[PLAIN.indexOf(letter)] ?? letter
const lengthened = (word: string): string => word + 'o'.repeat(Math.ceil(word.length * 0.4))

/** Applies {@link pseudo} to the words of an ICU message, but not to its syntax. */
function pseudoMessage(message: string): string {
  let result = message
  const words = [...contentOf(parse(message, { strict: true, strictPluralKeys: false }))]
  for (const { offset, text } of words.toReversed())
    result = result.slice(0, offset) + pseudo(text) + result.slice(offset + text.length)
  return result
}

type Tokens = ReturnType<typeof parse>

function* contentOf(tokens: Tokens): Generator<{ offset: number; text: string }> {
  for (const token of tokens)
    if (token.type === 'content') yield token.ctx
    else if ('cases' in token) for (const { tokens: inner } of token.cases) yield* contentOf(inner as Tokens)
}

/** Copies the program and replaces Spanish, which has every file of messages, with the pseudo-locale. */
export async function createPseudoProgram(): Promise<{ root: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), 'dropwright-pseudo-'))
  const filter = (source: string) => !COMPRESSED.test(source)
  for (const entry of await readdir(ROOT, { withFileTypes: true }))
    if (entry.isFile() || FOLDERS.includes(entry.name))
      await cp(path.join(ROOT, entry.name), path.join(root, entry.name), { recursive: true, filter })
  await symlink(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  const [source, target] = [path.join(root, 'messages/en'), path.join(root, 'messages/es')]
  await mkdir(target, { recursive: true })
  for (const file of await readdir(source)) {
    const messages: unknown = JSON.parse(await readFile(path.join(source, file), 'utf8'))
    await writeFile(path.join(target, file), JSON.stringify(mapTexts(messages, pseudoMessage)))
  }
  for (const args of [['tools/messages/main.ts'], ['tools/build-site.ts', 'es']])
    await promisify(execFile)(process.execPath, args, { cwd: root })
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}

export function mapTexts<T>(value: T, change: (text: string, name: string) => string, name = ''): T {
  if (typeof value === 'string') return change(value, name) as T
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change, name)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item as unknown, change, key)]),
  ) as T
}
