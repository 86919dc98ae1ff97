import type { Token } from 'markdown-it'
import type { DocsPart } from '#web/site/docs/search/search.ts'
import type { Chunk } from './chunks.ts'
import { attributeOf, textOf } from './markdown.ts'

const EXCERPT_LENGTH = 140
/** How a decision begins. */
const DATE = /^Date: [^.]*\. Status: [^.]*\. ?/

/** Cuts a page into the parts that search finds: what stands above the first heading, and below each. */
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
      const name = title.replace(/^\d+\. /, '')
      const page = url === path ? name : ''
      return { url, title: name, page, heading, text, excerpt: text.slice(0, EXCERPT_LENGTH).trim() }
    })
    .filter(({ url, text }) => text !== '' || url === path)
}

const isOfHeading = (tokens: readonly Token[], index: number) => tokens[index - 1]?.type === 'heading_open'
