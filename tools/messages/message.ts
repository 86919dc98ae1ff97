import {
  parse,
  type FunctionArg,
  type Octothorpe,
  type PlainArg,
  type Select,
  type Content,
} from '@messageformat/parser'

type Token = Content | PlainArg | FunctionArg | Select | Octothorpe

/** What a message asks of its caller: the type of each placeholder, and the names of its tags (`<link>…</link>`). */
export type Shape = { readonly placeholders: ReadonlyMap<string, string>; readonly tags: ReadonlySet<string> }

/** @throws ParseError for a message that is not ICU MessageFormat, or has a plural category its language lacks. */
export function shapeOf(text: string): Shape {
  const placeholders = new Map<string, string>()
  collect(parse(text, { strict: true, strictPluralKeys: false }), placeholders)
  return { placeholders, tags: new Set([...text.matchAll(/<\/?([a-z]\w*)>/g)].map(([, tag = '']) => tag)) }
}

function collect(tokens: readonly Token[], into: Map<string, string>): void {
  for (const token of tokens) {
    if (token.type === 'content' || token.type === 'octothorpe') continue
    // A figure that decides a plural may also stand in the text.
    if (token.type !== 'argument' || !into.has(token.arg)) into.set(token.arg, typeOf(token))
    if ('cases' in token) for (const { tokens: inner } of token.cases) collect(inner, into)
  }
}

function typeOf(token: PlainArg | FunctionArg | Select): string {
  if (token.type === 'argument') return 'string | number'
  if (token.type === 'select') return 'string | boolean | null'
  if (token.type === 'function' && ['date', 'time'].includes(token.key)) return 'Date | number'
  return 'number'
}

/** The plural categories that a message distinguishes at each of its plurals. */
export function pluralsOf(text: string): string[][] {
  const found: string[][] = []
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens)
      if ('cases' in token) {
        if (token.type === 'plural') found.push(token.cases.map(({ key }) => key))
        for (const { tokens: inner } of token.cases) visit(inner)
      }
  }
  visit(parse(text, { strict: true, strictPluralKeys: false }))
  return found
}
