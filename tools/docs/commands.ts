import { parseMarkdown } from './markdown.ts'

/**
 * The shell commands in the code blocks of a document: of blocks marked `sh` every line but comments and
 * variables on their own, of others what follows a prompt (`$ `). A command over several lines is one,
 * without the comment behind it.
 */
export function commandsIn(text: string): string[] {
  return parseMarkdown(text)
    .filter(({ type, info }) => type === 'fence' && ['', 'sh', 'shell', 'bash'].includes(info.trim()))
    .flatMap(({ content, info }) => (info === '' ? afterPrompts(content) : linesOf(content)))
    .map(withoutComment)
    .filter((command) => command !== '' && !VARIABLE.test(command))
}

/** A line of an environment file. */
const VARIABLE = /^[A-Z_]+=\S*$/

const linesOf = (content: string): string[] => content.replaceAll(/\\\n\s*/g, '').split('\n')

const afterPrompts = (content: string): string[] =>
  linesOf(content).flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []))

/** Cuts off a comment. A # within quotation marks begins none. */
function withoutComment(line: string): string {
  const [, command = ''] = /^((?:'[^']*'|"[^"]*"|(?!\s#)[^'"])*)/.exec(line.startsWith('#') ? '' : line) ?? []
  return command.trim()
}

/** Commands that cannot be run here, with the reason. */
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

/** Whether there is a reason why a command cannot be run here. */
export const isUntested = (command: string): boolean =>
  UNTESTED.some(([, ...patterns]) => patterns.some((pattern) => matches(pattern, command)))

export const matches = (pattern: string | RegExp, command: string): boolean =>
  typeof pattern === 'string' ? pattern === command : pattern.test(command)

/** A command without the names of its files, and of a head of the journal: those may be any. */
export const withoutFileNames = (command: string) =>
  command.replaceAll(/\S+\.(backup|ndjson)/g, 'FILE.$1').replaceAll(/\S+@(\d+|NUMBER)/g, 'HEAD')
