import { escapeHtml } from '#server/platform/html.ts'

/** A rendered email. */
export type Mail = {
  subject: string
  text: string
  html: string
}

/** A paragraph, a code set large, or a link with its label. */
export type Part = string | { code: string } | { link: string; label: string }

/**
 * Renders the text and the HTML part from the same content. A code is alone on its line, and the only run of
 * exactly six digits in the text.
 */
export function compose(subject: string, greeting: string, parts: readonly Part[], signature: string): Mail {
  const blocks: readonly Part[] = [greeting, ...parts, signature]
  return {
    subject,
    text: `${blocks.map(parts.some(isCode) ? asTextBesideCode : asText).join('\n\n')}\n`,
    html: htmlPage(subject, blocks.map(asHtml).join('\n')),
  }
}

const isCode = (part: Part) => typeof part !== 'string' && 'code' in part

function asText(part: Part): string {
  if (typeof part === 'string') return part
  if ('code' in part) return `    ${part.code}`
  return `${part.label}: ${part.link}`
}

/** Puts an invisible word joiner into a name like user123456, so that its digits are not taken for the code. */
function asTextBesideCode(part: Part): string {
  if (isCode(part)) return asText(part)
  return asText(part).replace(/(?<!\d)\d{6}(?!\d)/g, (run) => `${run.slice(0, 3)}\u2060${run.slice(3)}`)
}

function asHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  if ('code' in part) return `<p style="${CODE_STYLE}">${escapeHtml(part.code)}</p>`
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`
}

const CODE_STYLE = 'font:700 34px/1.2 monospace;letter-spacing:.2em;margin:24px 0'
const PAGE_STYLE =
  'margin:0;padding:32px 16px;background:#fbf6ec;color:#16130f;font:16px/1.5 system-ui,-apple-system,sans-serif'

function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title></head>
<body style="${PAGE_STYLE}"><div style="max-width:520px;margin:0 auto">
${body}
</div></body></html>
`
}
