import { directionOf, type Locale } from '#contract/locales.ts'
import { escapeHtml } from '#server/platform/html.ts'

export type Run = { text: string; link: string | null }

/** A paragraph of plain text, a paragraph of text and links, a code in large type, or a link with its label. */
export type Part = string | { runs: readonly Run[] } | { code: string } | { link: string; label: string }

/** A code is alone on its line, and the only sequence of exactly six digits in the text part. */
export function compose(subject: string, parts: readonly Part[], locale: Locale): Mail {
  const hasCode = parts.some(isCode)
  const texts = parts.map((part) => {
    // Plain text has no use for the word joiners that kept a username from becoming a link, and the reader may
    // copy the name.
    const text = asText(part, locale).replaceAll(WORD_JOINER, '')
    return hasCode && !isCode(part) ? splitSixDigits(text) : text
  })
  return {
    subject,
    text: `${texts.join('\n\n')}\n`,
    html: htmlPage(subject, parts.map(asHtml).join('\n'), locale),
  }
}

const isCode = (part: Part) => typeof part !== 'string' && 'code' in part

function asText(part: Part, locale: Locale): string {
  if (typeof part === 'string') return part
  if ('code' in part) return `    ${part.code}`
  if ('runs' in part)
    return part.runs
      .map(({ text, link }) => (link === null || link === text ? text : `${text}: ${link}`))
      .join('')
  // In right-to-left text, a URL on the same line would need direction marks, which would become part of it.
  return `${part.label}:${directionOf(locale) === 'rtl' ? '\n' : ' '}${part.link}`
}

/** An invisible character. Inside digits or an address, it keeps mail programs from recognizing them. */
export const WORD_JOINER = '\u2060'

export const SIX_DIGITS = /(?<!\d)\d{6}(?!\d)/g

/** Puts a word joiner into the digits of a name like user123456, which could be taken for the code. */
const splitSixDigits = (text: string) =>
  text.replace(SIX_DIGITS, (digits) => `${digits.slice(0, 3)}${WORD_JOINER}${digits.slice(3)}`)

function asHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  if ('code' in part) return `<p style="${CODE_STYLE}">${escapeHtml(part.code)}</p>`
  if ('runs' in part) return `<p dir="auto" style="${RUNS_STYLE}">${part.runs.map(runAsHtml).join('')}</p>`
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`
}

const runAsHtml = ({ text, link }: Run) =>
  link === null ? escapeHtml(text) : `<a href="${escapeHtml(link)}">${escapeHtml(text)}</a>`

/** Keeps the line breaks that a person typed. */
const RUNS_STYLE = 'white-space:pre-line'
const CODE_STYLE = 'font:700 34px/1.2 monospace;letter-spacing:.2em;margin:24px 0'
const PAGE_STYLE =
  'margin:0;padding:32px 16px;background:#fbf6ec;color:#16130f;font:16px/1.5 system-ui,-apple-system,sans-serif'

function htmlPage(title: string, body: string, locale: Locale): string {
  const isRtl = directionOf(locale) === 'rtl'
  const language = `lang="${locale}"${isRtl ? ' dir="rtl"' : ''}`
  // Many mail programs show only the contents of the body, so the direction is repeated there.
  const bodyLanguage = isRtl ? ` ${language}` : ''
  return `<!doctype html>
<html ${language}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title></head>
<body style="${PAGE_STYLE}"><div${bodyLanguage} style="max-width:520px;margin:0 auto;overflow-wrap:anywhere">
${body}
</div></body></html>
`
}

export type Mail = {
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}
