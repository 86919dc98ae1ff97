import type { Endpoint, Limit } from '#contract/protocol/endpoint.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { ERROR_STATUS } from '#contract/protocol/errors.ts'
import { escapeHtml } from '#server/platform/html.ts'
import { CHALLENGE_SECTION } from './challenge-docs.ts'

type Properties = Record<string, { type?: string; pattern?: string; enum?: string[] }>

/** The API documentation as plain HTML without scripts. */
export function apiDocsPage(
  name: string,
  endpoints: readonly Endpoint[],
  fieldsOf: (endpoint: Endpoint) => Properties,
) {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>API of ${escapeHtml(name)}</title><link rel="stylesheet" href="/api/docs.css"></head>
<body><main><h1>API of ${escapeHtml(name)}</h1>
<p>JSON in and out, below <code>${API_BASE}</code>. Calls that are not public take <code>Authorization: Bearer …</code>, the
token of the login. A login with <code>Origin</code> or <code>Sec-Fetch-Site</code>, as browsers send them, also sets a
cookie, and its token counts only together with it. The same as a document for programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
<p>Every refusal is <code>{ "message", "code", "fields"?, "requestId"?, "challenge"? }</code>; 429 and 503 carry
<code>Retry-After</code> in seconds. Unknown fields are refused.</p>
${CHALLENGE_SECTION}
${endpoints.map((endpoint) => section(endpoint, fieldsOf(endpoint))).join('\n')}
</main></body></html>`
}

function section(endpoint: Endpoint, fields: Properties): string {
  const { method, path, access, summary, limits = [], reply, refusals } = endpoint
  const rows = Object.entries(fields).map(
    ([name, field]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${escapeHtml(field.enum?.join(' | ') ?? field.type ?? '')}</td></tr>`,
  )
  return `<section><h2><code>${method} ${escapeHtml(path)}</code></h2>
<p>${escapeHtml(summary)}</p>
<dl><dt>For</dt><dd>${access}</dd><dt>Success</dt><dd>${reply.status}</dd>
${limits.map((limit) => `<dt>At most</dt><dd>${inWords(limit)}</dd>`).join('')}
${refusals.length > 0 ? `<dt>Refuses with</dt><dd>${refusals.map((code) => `<code>${ERROR_STATUS[code]} ${code}</code>`).join(', ')}</dd>` : ''}</dl>
${rows.length > 0 ? `<table><tbody>${rows.join('')}</tbody></table>` : ''}</section>`
}

function inWords(limit: Limit): string {
  if (limit.per === 'everybody')
    return `${limit.take} in ${limit.seconds} s of ${limit.of} by everybody together; beyond, for a <a href="#challenge">solved challenge</a> each`
  const free = `${limit.take} in ${limit.seconds} s per ${limit.per}`
  return limit.per === 'network' && limit.forWork !== undefined
    ? `${free}, and ${limit.forWork} more for a <a href="#challenge">solved challenge</a> each`
    : free
}

export const API_DOCS_STYLE = `:root{color-scheme:light dark}
body{margin:0;background:#fbf6ec;color:#16130f;font:16px/1.6 system-ui,sans-serif}
main{max-width:820px;margin:0 auto;padding:40px 20px}h1{font-size:40px;line-height:1.1}h2{font-size:18px;margin-block-end:4px}
section{border-block-start:1px solid #16130f22;padding-block:16px}code{font:14px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:8px 0}dt{opacity:.8}dd{margin:0}pre{overflow-x:auto}a{color:#c2330f}
th,td{text-align:start;padding:2px 16px 2px 0;font-weight:400}
@media(prefers-color-scheme:dark){body{background:#12131c;color:#f4eee1}section{border-color:#f4eee133}a{color:#ff8a6b}}`
