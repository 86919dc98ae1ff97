import path from 'node:path'
import type { Token } from 'markdown-it'
import { attributeOf, parseMarkdown, textOf } from './markdown.ts'

/** An entry of the table of contents: a file or, with an anchor, the part of a file from that heading on. */
export type Entry = { name: string; description: string; file: string; anchor: string | undefined }

export type Contents = {
  title: string
  lead: string
  sections: { title: string; entries: Entry[] }[]
}

/** Headings of this file are sections, and links are pages, each described by the words after the link. */
export const CONTENTS_FILE = 'docs/README.md'

export function readContents(text: string): Contents {
  const contents: Contents = { title: '', lead: '', sections: [] }
  const tokens = parseMarkdown(text)
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline') continue
    const opening = tokens[index - 1]
    const words = textOf(token)
    if (opening?.tag === 'h1') contents.title = words
    else if (opening?.tag === 'h2') contents.sections.push({ title: words, entries: [] })
    else if (contents.sections.length === 0) contents.lead ||= words // the first paragraph
    else contents.sections.at(-1)?.entries.push(entryOf(token))
  }
  return contents
}

function entryOf(token: Token): Entry {
  const children = token.children ?? []
  const [start, end] = ['link_open', 'link_close'].map((type) =>
    children.findIndex((child) => child.type === type),
  ) as [number, number]
  const href = attributeOf(children[start], 'href')
  const wordsIn = (part: Token[]) => part.map(textOf).join('').trim()
  const [file = '', anchor] = href.split('#')
  return {
    name: wordsIn(children.slice(start + 1, end)),
    description: capitalize(wordsIn(children.slice(end + 1)).replace(/^:\s*/, '')),
    file: path.posix.join(path.posix.dirname(CONTENTS_FILE), file),
    anchor,
  }
}

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
