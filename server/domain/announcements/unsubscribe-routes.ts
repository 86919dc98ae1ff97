import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { directionOf, type Locale, localizedPath } from '#contract/locales.ts'
import type { Deps } from '#server/deps.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import { escapeHtml } from '#server/platform/html.ts'
import { localeOf, setLanguage } from '#server/platform/http/locale.ts'
import { readUnsubscribeToken, setConsent, UNSUBSCRIBE_PATH } from './consent.ts'

const STYLE_PATH = `${UNSUBSCRIBE_PATH}.css`
/** Mail programs (RFC 8058) and the page's form send this in the body, urlencoded or multipart. */
const ONE_CLICK = /List-Unsubscribe(=|"\s+)One-Click/
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * Serves the link in each announcement, which unsubscribes without a login. Mail scanners open links, so only
 * a POST unsubscribes: mail programs and the page's button send one.
 */
export function addUnsubscribe(app: FastifyInstance, deps: Deps) {
  const userIdOf = (request: FastifyRequest) => {
    const { token } = request.query as { token?: unknown }
    return typeof token === 'string' ? readUnsubscribeToken(deps.keys, token) : undefined
  }
  app.get(STYLE_PATH, async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  app.get(UNSUBSCRIBE_PATH, async (request, reply) => {
    const pages = pagesIn(localeOf(request), deps.campaign)
    return userIdOf(request) === undefined
      ? send(reply.code(400), pages.broken())
      : send(reply, pages.question(request.url))
  })
  // Scoped: no other route accepts these content types.
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM_TYPES, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post(UNSUBSCRIBE_PATH, async (request, reply) => {
      const userId = userIdOf(request)
      const pages = pagesIn(localeOf(request), deps.campaign)
      if (userId === undefined || !ONE_CLICK.test(String(request.body)))
        return send(reply.code(400), pages.broken())
      await setConsent(deps.db, userId, false)
      return send(reply, pages.done())
    })
  })
}

type Page = { locale: Locale; html: string }

function send(reply: FastifyReply, { locale, html }: Page) {
  setLanguage(reply, locale)
  return reply.type('text/html; charset=utf-8').send(html)
}

function pagesIn(locale: Locale, file: CampaignFile) {
  const { UNSUBSCRIBE: words } = textsIn(locale)
  const { name } = campaignIn(file, locale)
  const profile = `<p><a href="${localizedPath(locale, '/profile')}">${words.profile}</a></p>`
  const pageOf = (title: string, body: string): Page => ({ locale, html: renderPage(locale, title, body) })
  return {
    broken: () => pageOf(words.broken, `<p>${words.brokenText}</p>${profile}`),
    question: (url: string) =>
      pageOf(
        words.title,
        `<p>${escapeHtml(words.question({ campaign: name }))}</p><p class="soft">${words.kept}</p>
<form method="post" action="${escapeHtml(url)}"><input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">${words.button}</button></form>`,
      ),
    done: () =>
      pageOf(words.done, `<p role="status">${escapeHtml(words.doneText({ campaign: name }))}</p>${profile}`),
  }
}

/**
 * Overrides the `no-referrer` policy of our other replies, under which browsers would send the form with
 * `Origin: null`. The server refuses that as foreign.
 */
const renderPage = (
  locale: Locale,
  title: string,
  body: string,
) => `<!doctype html><html lang="${locale}"${directionOf(locale) === 'rtl' ? ' dir="rtl"' : ''}><head><meta charset="utf-8">
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
