import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { CommandName } from '#server/testing/product.ts'
import { parseMarkdown } from './markdown.ts'

/**
 * The shell commands in the code blocks of a document. In a block of `sh`, `shell` or `bash`, each line is a
 * command unless it only sets a variable. In an unmarked block, lines that begin with `$ ` are commands.
 * Continued lines are joined, and comments left out.
 */
export function commandsIn(document: string): string[] {
  return parseMarkdown(document)
    .filter(({ type, info }) => type === 'fence' && ['', 'sh', 'shell', 'bash'].includes(info.trim()))
    .flatMap(({ content, info }) => (info === '' ? afterPrompts(content) : linesOf(content)))
    .map(withoutComment)
    .filter((command) => command !== '' && !VARIABLE.test(command))
}

/** A line that only sets a variable. */
const VARIABLE = /^[A-Z_]+=\S*$/

const linesOf = (content: string): string[] => content.replaceAll(/\\\n\s*/g, '').split('\n')

const afterPrompts = (content: string): string[] =>
  linesOf(content).flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []))

/** Removes a comment. A # within quotation marks does not begin a comment. */
function withoutComment(line: string): string {
  const [, command = ''] = /^((?:'[^']*'|"[^"]*"|(?!\s#)[^'"])*)/.exec(line.startsWith('#') ? '' : line) ?? []
  return command.trim()
}

/** Commands that no test runs, with the reason. */
export const UNTESTED: readonly [reason: string, ...commands: (string | RegExp)[]][] = [
  ['needs Docker', /^docker /],
  [
    'needs systemd, its journal and its users',
    /^(systemd-run|systemctl|journalctl|useradd|cp deploy\/\S+ \/etc|install -d -m 755 \/etc|cd \/opt\/dropwright) ?/,
  ],
  ['installs packages of Debian as root, and takes minutes', /^npm run cluster -- /],
  ['runs this test too', 'npm test'],
  ['takes half an hour and rewrites the page', 'npm run bench -- --write-docs'],
  ['changes package.json and asks the registry', 'npm install --ignore-scripts --save-exact PACKAGE'],
  ['rewrites the lock file; `npm run check` runs it with --check', 'node tools/complete-lockfile.ts'],
  [
    'measures with packages that are installed for it, in a browser on a quiet machine',
    /^(npm install|LANTERN_DEBUG=1 npx) lighthouse/,
  ],
]

export const isUntested = (command: string): boolean =>
  UNTESTED.some(([, ...patterns]) => patterns.some((pattern) => matches(pattern, command)))

export const matches = (pattern: string | RegExp, command: string): boolean =>
  typeof pattern === 'string' ? pattern === command : pattern.test(command)

/** Replaces file names and a hash of the journal (`HASH@NUMBER`) by placeholders. */
export const withPlaceholders = (command: string) =>
  command.replaceAll(/\S+\.(backup|ndjson)/g, 'FILE.$1').replaceAll(/\S+@(\d+|NUMBER)/g, 'HEAD')

const ROOT = path.resolve(import.meta.dirname, '../..')

export type Environment = Record<string, string>

/** How a shell divides `npm run NAME -- ARGS`. */
export async function npmRunOf(command: string): Promise<{ name: CommandName; args: string[] }> {
  const script = `npm() { printf '%s\\0' "$@"; }\n${command}`
  const { stdout } = await promisify(execFile)('bash', ['-euc', script])
  const [, name, ...args] = stdout.split('\0').slice(0, -1)
  return { name: name as CommandName, args: args[0] === '--' ? args.slice(1) : args }
}

/** `npm` takes 0.5 s to start. A test asserts that every script of package.json runs this with its name. */
const NPM = 'npm() { node tools/bootstrap.mjs "$@"; }'

type Ended = { code: number | null; out: string; err: string }

/** Starts a command in a shell, in the checkout. */
export function start(command: string, env: Environment): { child: ChildProcess; ended: Promise<Ended> } {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${NPM}\n${command}`], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that all of its processes can be ended at once.
    detached: true,
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([out, err, [code]]) => ({ code: code as number | null, out, err }),
  )
  return { child, ended }
}
