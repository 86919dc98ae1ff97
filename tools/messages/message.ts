import {
  parse,
  type FunctionArg,
  type Octothorpe,
  type PlainArg,
  type Select,
  type Content,
} from '@messageformat/parser'

type Token = Content | PlainArg | FunctionArg | Select | Octothorpe

const OPTIONS = { strict: true, strictPluralKeys: false }

/** What a caller must pass: the type of each placeholder, and the names of tags (`<link>…</link>`). */
export type Shape = { readonly placeholders: ReadonlyMap<string, string>; readonly tags: ReadonlySet<string> }

/** For the keys of plurals, see {@link pluralsOf}. @throws ParseError */
export function shapeOf(text: string): Shape {
  const placeholders = new Map<string, string>()
  for (const token of allTokens(parse(text, OPTIONS))) {
    if (token.type === 'content' || token.type === 'octothorpe') continue
    // The narrower type of a plural or select wins if the placeholder also occurs plainly.
    if (token.type !== 'argument' || !placeholders.has(token.arg)) placeholders.set(token.arg, typeOf(token))
  }
  return { placeholders, tags: new Set([...text.matchAll(/<\/?([a-z]\w*)>/g)].map(([, tag = '']) => tag)) }
}

function typeOf(token: PlainArg | FunctionArg | Select): string {
  if (token.type === 'argument') return 'string | number'
  if (token.type === 'select') return 'string | boolean | null'
  if (token.type === 'function' && ['date', 'time'].includes(token.key)) return 'Date | number'
  return 'number'
}

/** The positions of plain placeholders (without plural, select or format), in order. */
export function textPlaceholders(text: string): { offset: number; length: number }[] {
  return [...allTokens(parse(text, OPTIONS))].flatMap(({ type, ctx }) =>
    type === 'argument' ? [{ offset: ctx.offset, length: ctx.text.length }] : [],
  )
}

/** The keys of each plural in a message: categories (`one`) and exact figures (`=1`). */
export function pluralsOf(text: string): string[][] {
  return [...allTokens(parse(text, OPTIONS))].flatMap((token) =>
    token.type === 'plural' ? [token.cases.map(({ key }) => key)] : [],
  )
}

/** All tokens of a message, including those within plurals and selects. */
function* allTokens(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    yield token
    if ('cases' in token) for (const { tokens: inner } of token.cases) yield* allTokens(inner)
  }
}
