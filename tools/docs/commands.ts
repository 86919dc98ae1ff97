import { parseMarkdown } from './markdown.ts'

/**
 * The shell commands in the code blocks of a document: of blocks marked `sh` every line but comments and variables on
 * their own, of others what follows a prompt (`$ `). A command over several lines is one, without the comment behind
 * it.
 */
export function commandsIn(text: string): string[] {
  return parseMarkdown(text)
    .filter(({ type, info }) => type === 'fence' && ['', 'sh', 'shell', 'bash'].includes(info.trim()))
    .flatMap(({ content, info }) => (info === '' ? afterPrompts(content) : linesOf(content)))
    .map(withoutComment)
    .filter((command) => command !== '' && !VARIABLE.test(command))
}

/** A line of a file of the environment. */
const VARIABLE = /^[A-Z_]+=\S*$/

const linesOf = (content: string): string[] => content.replaceAll(/\\\n\s*/g, '').split('\n')

const afterPrompts = (content: string): string[] =>
  linesOf(content).flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []))

/** Nothing in quotation marks is a comment. */
function withoutComment(line: string): string {
  const [, command = ''] = /^((?:'[^']*'|"[^"]*"|(?!\s#)[^'"])*)/.exec(line.startsWith('#') ? '' : line) ?? []
  return command.trim()
}
