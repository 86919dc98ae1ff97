import Parser from 'markdown-it'
import type { MarkdownIt, RendererRule, Token } from 'markdown-it'

/** What the rules below remember during rendering: markdown-it's `env`. */
export type Rendering = {
  /** The last heading, which names the tables and the code below it. */
  heading: string
}

const COPY = '<button type="button" class="docs-copy needs-script" aria-live="polite">Copy</button>'

/**
 * Renders GitHub's Markdown without inline styles, which the pages do not allow. Raw HTML is shown as text.
 * Heading tokens need an `id`. Wide tables and code scroll, so keyboard users must be able to focus them.
 */
export const markdown = createMarkdown()

function createMarkdown(): MarkdownIt {
  const md = new Parser({ html: false, linkify: false, typographer: false })
  const escape = md.utils.escapeHtml
  const rules = md.renderer.rules
  rules.heading_open = (tokens, index, _options, env) => {
    const { tag } = tokens[index] ?? { tag: '' }
    renderingOf(env).heading = textOf(tokens[index + 1])
    return `<div class="docs-heading"><${tag} id="${escape(attributeOf(tokens[index], 'id'))}">`
  }
  rules.heading_close = (tokens, index, _options, env) => {
    const { tag } = tokens[index] ?? { tag: '' }
    const label = escape(`Link to “${renderingOf(env).heading}”`)
    const href = escape(`#${attributeOf(tokens[index - 2], 'id')}`) // Of `heading_open`.
    return `</${tag}><a class="docs-anchor" href="${href}" aria-label="${label}"></a></div>\n`
  }
  rules.table_open = (_tokens, _index, _options, env) => {
    const label = escape(`Table: ${renderingOf(env).heading}`)
    return `<div class="docs-table" role="group" aria-label="${label}" tabindex="0"><table>\n`
  }
  rules.table_close = () => '</table></div>\n'
  const cell: RendererRule = (tokens, index) => {
    // An empty `th` would be a heading without a name.
    const tag = tokens[index]?.tag === 'th' && isEmpty(tokens[index + 1]) ? 'td' : tokens[index]?.tag
    const [, align] = /text-align:(right|center)/.exec(attributeOf(tokens[index], 'style')) ?? []
    return align ? `<${tag} class="docs-${align === 'right' ? 'end' : 'center'}">` : `<${tag}>`
  }
  rules.th_open = cell
  rules.td_open = cell
  rules.th_close = (tokens, index) => (isEmpty(tokens[index - 1]) ? '</td>' : '</th>')
  rules.fence = (tokens, index, _options, env) => {
    const { content, info } = tokens[index] ?? { content: '', info: '' }
    const label = escape(`Code: ${renderingOf(env).heading}`)
    const language = info ? ` data-language="${escape(info)}"` : ''
    const code = `<pre role="group" aria-label="${label}" tabindex="0"${language}><code>${escape(content)}</code></pre>`
    // A block without a language and without a shell prompt is a drawing, which nobody copies.
    const isDrawing = info === '' && !/^\$ /m.test(content)
    return `<div class="docs-code">${code}${isDrawing ? '' : COPY}</div>\n`
  }
  return md
}

const isEmpty = (token: Token | undefined) => token?.content === ''

const renderingOf = (env: unknown) => env as Rendering

/** An attribute of a token; empty if it has none. */
export const attributeOf = (token: Token | undefined, name: string): string =>
  String(token?.attrGet(name) ?? '')

export function textOf(token: Token | undefined): string {
  if (!token) return ''
  if (token.children) return token.children.map(textOf).join('').replaceAll(/\s+/g, ' ')
  if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
  return ['text', 'code_inline', 'fence', 'code_block'].includes(token.type) ? token.content : ''
}

/** Comments mark the parts of a text that tools write. Each is on its own line. */
const COMMENT = /^<!--.*?-->\n?/gms

export const parseMarkdown = (text: string): Token[] => markdown.parse(text.replaceAll(COMMENT, ''), {})
