import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UNSUBSCRIBE as WORDS } from '#messages/announcements.js'
import { ROUTES } from '#web/routes.ts'
import type { Deps } from '#server/deps.ts'
import { escapeHtml } from '#server/platform/html.ts'
import { setConsent } from './consent.ts'
import { readUnsubscribeToken, UNSUBSCRIBE_PATH } from './unsubscribe-token.ts'

const STYLE_PATH = `${UNSUBSCRIBE_PATH}.css`
/** What mail programs and our own form send (RFC 8058). */
const ONE_CLICK = /List-Unsubscribe(=|"\s+)One-Click/
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * Unsubscribing without a login, by the link of each announcement. Looking at the page changes nothing, since mail
 * scanners do that; mail programs and the page's button post.
 */
export function addUnsubscribe(app: FastifyInstance, deps: Deps) {
  const userOf = (request: FastifyRequest) => {
    const { token } = request.query as { token?: unknown }
    return typeof token === 'string' ? readUnsubscribeToken(deps.keys, token) : undefined
  }
  app.get(STYLE_PATH, async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  app.get(UNSUBSCRIBE_PATH, async (request, reply) =>
    userOf(request) === undefined ? broken(reply) : send(reply, question(deps.campaign.name, request.url)),
  )
  // Scoped: no other route accepts these content types.
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM_TYPES, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post(UNSUBSCRIBE_PATH, async (request, reply) => {
      const userId = userOf(request)
      if (userId === undefined || !ONE_CLICK.test(String(request.body))) return broken(reply)
      await setConsent(deps.db, userId, false)
      return send(reply, done(deps.campaign.name))
    })
  })
}

const send = (reply: FastifyReply, html: string) => reply.type('text/html; charset=utf-8').send(html)

const broken = (reply: FastifyReply) =>
  send(reply.code(400), page(WORDS.broken, `<p>${WORDS.brokenText}</p>${PROFILE_LINK}`))

const question = (campaign: string, url: string) =>
  page(
    WORDS.title,
    `<p>${escapeHtml(WORDS.question({ campaign }))}</p><p class="soft">${WORDS.kept}</p>
<form method="post" action="${escapeHtml(url)}"><input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">${WORDS.button}</button></form>`,
  )

const done = (campaign: string) =>
  page(WORDS.done, `<p role="status">${escapeHtml(WORDS.doneText({ campaign }))}</p>${PROFILE_LINK}`)

const PROFILE_LINK = `<p><a href="${ROUTES.profile.path}">${WORDS.profile}</a></p>`

/** The policy of every reply, no referrer, would make the origin of the form “null”, which is refused as foreign. */
const page = (title: string, body: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="same-origin">
<title>${title}</title><link rel="stylesheet" href="${STYLE_PATH}"></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`

const STYLE = `:root{color-scheme:light dark}
body{margin:0;background:#fbf6ec;color:#16130f;font:17px/1.55 system-ui,-apple-system,sans-serif}
main{max-width:34rem;margin:0 auto;padding:clamp(2rem,12vh,8rem) 1.25rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 1.25rem}.soft{color:#5d564b;font-size:.95rem}
a{color:inherit;text-underline-offset:4px;display:inline-flex;min-height:44px;align-items:center}
button{font:inherit;font-weight:600;min-height:48px;padding:.75rem 1.5rem;margin-block-start:.75rem;border:1px solid #16130f;border-radius:4px;background:#16130f;color:#fbf6ec;cursor:pointer}
button:hover{opacity:.88}:focus-visible{outline:3px solid currentColor;outline-offset:3px}
@media(prefers-color-scheme:dark){body{background:#12131c;color:#f4eee1}.soft{color:#b9b2a5}button{background:#f4eee1;color:#12131c;border-color:#f4eee1}}`
