import Slugger from 'github-slugger'
import type { Token } from 'markdown-it'
import type { DocsPart } from '#web/site/docs/search/search.ts'
import { attributeOf, parseMarkdown, textOf } from './markdown.ts'
import type { Entry } from './contents.ts'

/** What becomes a page: a file, or its part from a heading that the contents name to the next such one. */
export type Chunk = {
  entry: Entry
  /** Without the title. */
  tokens: Token[]
  title: string
  fileTitle: string
  /** From anchors of the file to anchors of this page; an empty one is the top of the page. */
  anchors: Map<string, string>
}

/**
 * Splits a file at the headings that the table of contents names. Text above the first such heading becomes
 * part of the first page, so that no text is lost.
 * @param entries the entries of this file, in any order
 * @param report called for each heading that does not exist
 */
export function splitFile(
  text: string,
  entries: readonly Entry[],
  report: (problem: string) => void,
): Chunk[] {
  const tokens = withIds(parseMarkdown(text))
  const { title: fileTitle } = separateTitle(tokens)
  const starts = entries.flatMap((entry) => {
    const start = entry.anchor === undefined ? 0 : headingAt(tokens, entry.anchor)
    if (start >= 0) return [{ entry, start }]
    report(`docs/README.md links to ${entry.file}#${entry.anchor}, which does not exist`)
    return []
  })
  starts.sort((one, other) => one.start - other.start)
  return starts.map(({ entry, start }, index) => {
    const part = tokens.slice(start, starts[index + 1]?.start)
    const above =
      index === 0 && entry.anchor !== undefined ? separateTitle(tokens.slice(0, start)).tokens : []
    return { entry, fileTitle, ...pageOf(entry, part, above) }
  })
}

/** Gives each heading the id that GitHub gives it. */
function withIds(tokens: Token[]): Token[] {
  const slugger = new Slugger()
  for (const [index, token] of tokens.entries())
    if (token.type === 'heading_open') token.attrSet('id', slugger.slug(textOf(tokens[index + 1])))
  return tokens
}

const headingAt = (tokens: readonly Token[], id: string) =>
  tokens.findIndex((token) => token.type === 'heading_open' && attributeOf(token, 'id') === id)

function pageOf(entry: Entry, part: Token[], above: Token[]): Omit<Chunk, 'entry' | 'fileTitle'> {
  if (entry.anchor === undefined) {
    const { title, id, tokens } = separateTitle(part)
    return { title: title || entry.name, tokens, anchors: anchorsOf(tokens, id) }
  }
  const level = part[0]?.tag
  const siblings = part.filter((token) => token.type === 'heading_open' && token.tag === level)
  // The heading of a single section would repeat the page's title. Several sections keep their headings.
  if (siblings.length > 1) {
    const anchors = anchorsOf(part)
    anchors.set(entry.anchor, '')
    return { title: entry.name, tokens: [...above, ...part], anchors }
  }
  const { id, tokens } = separateTitle(part)
  for (const token of tokens)
    if (token.type.startsWith('heading')) token.tag = `h${Number(token.tag.slice(1)) - 1}`
  return { title: entry.name, tokens: [...above, ...tokens], anchors: anchorsOf(tokens, id) }
}

function separateTitle(tokens: Token[]) {
  const index = tokens.findIndex(({ type }) => type === 'heading_open')
  if (index < 0) return { title: '', id: undefined, tokens }
  return {
    title: textOf(tokens[index + 1]),
    id: attributeOf(tokens[index], 'id'),
    // A heading is three tokens: opening, text and closing.
    tokens: tokens.toSpliced(index, 3),
  }
}

/** @param top the anchor of the page's title */
function anchorsOf(tokens: readonly Token[], top?: string): Map<string, string> {
  const ids = tokens.flatMap((token) => (token.type === 'heading_open' ? [attributeOf(token, 'id')] : []))
  const anchors = new Map(ids.map((id) => [id, id]))
  if (top !== undefined) anchors.set(top, '')
  return anchors
}

const EXCERPT_LENGTH = 140
/** The first line of a decision, which search results leave out. */
const DATE = /^Date: [^.]*\. Status: [^.]*\. ?/

/** Cuts a page into the parts that search finds: the text above the first heading, and below each heading. */
export function partsOf(path: string, { title, tokens }: Pick<Chunk, 'title' | 'tokens'>): DocsPart[] {
  const parts: { url: string; heading: string; texts: string[] }[] = [{ url: path, heading: '', texts: [] }]
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open')
      parts.push({
        url: `${path}#${attributeOf(token, 'id')}`,
        heading: textOf(tokens[index + 1]),
        texts: [],
      })
    else if (!isOfHeading(tokens, index)) parts.at(-1)?.texts.push(textOf(token))
  }
  return parts
    .map(({ url, heading, texts }) => {
      const text = texts.filter(Boolean).join(' ').replace(DATE, '')
      const unnumbered = title.replace(/^\d+\. /, '')
      const page = url === path ? unnumbered : ''
      return { url, title: unnumbered, page, heading, text, excerpt: text.slice(0, EXCERPT_LENGTH).trim() }
    })
    .filter(({ url, text }) => text !== '' || url === path)
}

const isOfHeading = (tokens: readonly Token[], index: number) => tokens[index - 1]?.type === 'heading_open'
