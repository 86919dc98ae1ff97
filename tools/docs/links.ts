import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Token } from 'markdown-it'
import { attributeOf, markdown, textOf } from './markdown.ts'

export type Places = {
  root: string
  /** The page of a file or of a heading (`file#heading`). */
  find: (place: string) => { url: string; title: string } | undefined
  /** Adds a picture to the site. @returns its address. */
  addPicture: (file: string) => string
  report: (problem: string) => void
}

export function rewriteLinks(tokens: readonly Token[], file: string, places: Places): void {
  for (const { children } of tokens) {
    if (!children) continue
    for (const [index, token] of children.entries()) {
      if (token.type === 'image') rewritePicture(token, file, places)
      if (token.type === 'link_open') rewriteLink(children, index, file, places)
    }
  }
}

function rewritePicture(token: Token, file: string, { addPicture }: Places): void {
  token.attrSet('src', addPicture(resolve(file, attributeOf(token, 'src'))))
  token.attrSet('loading', 'lazy')
}

function rewriteLink(children: Token[], index: number, file: string, places: Places): void {
  const start = children[index]
  const end = children.findIndex((token, position) => position > index && token.type === 'link_close')
  const href = attributeOf(start, 'href')
  if (!start || href.startsWith('mailto:')) return
  if (/^https?:/.test(href)) {
    start.attrSet('target', '_blank')
    start.attrSet('rel', 'noopener')
    return
  }
  const [target = '', anchor] = href.split('#')
  const place = target === '' ? file : resolve(file, target)
  const destination = places.find(anchor === undefined ? place : `${place}#${anchor}`)
  const inside = children.slice(index + 1, end)
  const words = inside.map(textOf).join('')
  if (destination) {
    start.attrSet('href', destination.url)
    // Readers of the site do not know the names of files.
    if (/^[\w./-]+\.md$/.test(words)) replaceWords(inside, destination.title)
    return
  }
  if (anchor !== undefined || !existsSync(path.join(places.root, place)))
    places.report(`${file} links to ${href}, which does not exist`)
  showSource(children, index, end, words, place)
}

/** Shows the path of a file that is not a page, instead of a link. */
function showSource(children: Token[], index: number, end: number, words: string, place: string): void {
  const code = `<code class="docs-source">${markdown.utils.escapeHtml(place)}</code>`
  const isNamedByWords = place.endsWith(words.replace(/^(\.\.\/)+/, ''))
  if (isNamedByWords)
    for (const token of children.slice(index + 1, end))
      Object.assign(token, { type: 'text', content: '', children: null })
  setHtml(children[index], '')
  setHtml(children[end], isNamedByWords ? code : ` (${code})`)
}

function setHtml(token: Token | undefined, html: string): void {
  if (token) Object.assign(token, { type: 'html_inline', content: html })
}

function replaceWords(tokens: readonly Token[], words: string): void {
  for (const [index, token] of tokens.entries())
    Object.assign(token, { type: 'text', content: index === 0 ? words : '', children: null })
}

/** @returns the path relative to the repository. */
const resolve = (file: string, target: string) =>
  path.posix.join(path.posix.dirname(file), target).replace(/\/$/, '')
