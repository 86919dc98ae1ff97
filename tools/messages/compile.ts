import MessageFormat from '@messageformat/core'
import compileModule from '@messageformat/core/compile-module.js'
import { directionOf, intlTag, type Locale } from '#contract/locales.ts'
import type { Messages } from './catalogue.ts'
import { shapeOf, textPlaceholders } from './message.ts'

const IMPORT = /^import \{ (.+?) \} from "(.+?)";$/gm

/** A JavaScript module with a constant per group. A message with placeholders becomes a function of these. */
export function compileNamespace(messages: Messages, locale: Locale): string {
  const imports = new Map<string, Set<string>>()
  const groups = Object.entries(messages).map(([name, group]) => {
    if (typeof group === 'string') throw new Error(`${name} is a text: put it into a group.`)
    const source = compileGroup(group, locale)
    const start = source.indexOf('export default ')
    for (const [, names = '', from = ''] of source.slice(0, start).matchAll(IMPORT))
      for (const imported of names.split(', '))
        imports.set(from, (imports.get(from) ?? new Set()).add(imported))
    return `export const ${name} = ${plainAsStrings(source.slice(start + 'export default '.length))}\n`
  })
  const importLines = [...imports].map(
    ([from, names]) => `import { ${[...names].join(', ')} } from "${from}"\n`,
  )
  return [...importLines, ...groups].join('')
}

function compileGroup(group: Messages, locale: Locale): string {
  // Not strict about plurals: fallback texts have the plural categories of the default language.
  const format = new MessageFormat(locale, { strict: true, strictPluralKeys: false })
  const prepared = mapTexts(group, directionOf(locale) === 'rtl' ? withIsolates : withWholeWords)
  const source = compileModule(format, prepared)
  return intlTag(locale) === locale
    ? source
    : source.replaceAll(`"${locale}"`, JSON.stringify(intlTag(locale)))
}

/** Turns functions without parameters into strings. */
const plainAsStrings = (source: string): string => source.replaceAll(/: \(\) => (?=")/g, ': ')

const mapTexts = (messages: Messages, change: (text: string) => string): Messages =>
  Object.fromEntries(
    Object.entries(messages).map(([name, text]) => [
      name,
      typeof text === 'string' ? change(text) : mapTexts(text, change),
    ]),
  )

/** Prevents a line break after the “e-” of the Portuguese “e-mail”, except in a label of that one word. */
const withWholeWords = (text: string): string => text.replaceAll(/(?<=\s)e-(?=mail)/g, 'e-\u2060')

/** Puts Unicode isolates around placeholders, so that Latin names keep their order in Arabic (UAX #9). */
function withIsolates(text: string): string {
  let result = text
  // From the end, so that earlier offsets stay valid.
  for (const { offset, length } of textPlaceholders(text).toReversed())
    result = `${result.slice(0, offset)}\u2068${result.slice(offset, offset + length)}\u2069${result.slice(offset + length)}`
  return result
}

/** The types of a namespace. The texts in the default language become docstrings. */
export function declareNamespace(messages: Messages): string {
  return Object.entries(messages)
    .map(([name, group]) => `export declare const ${name}: ${declare(group, '')}\n`)
    .join('')
}

function declare(messages: string | Messages, indent: string): string {
  if (typeof messages === 'string') return typeOf(messages)
  const inner = `${indent}  `
  const members = Object.entries(messages).map(
    ([name, text]) =>
      `${documentation(text, inner)}${inner}readonly ${JSON.stringify(name)}: ${declare(text, inner)}\n`,
  )
  return `{\n${members.join('')}${indent}}`
}

const documentation = (text: string | Messages, indent: string): string =>
  typeof text === 'string' ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : ''

function typeOf(text: string): string {
  const { placeholders } = shapeOf(text)
  if (placeholders.size === 0) return 'string'
  const values = [...placeholders].map(([name, type]) => `${name}: ${type}`)
  return `(values: { ${values.join('; ')} }) => string`
}
