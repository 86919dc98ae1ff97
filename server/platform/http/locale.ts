import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { DEFAULT_LOCALE, type Locale, LOCALE_KEY, localeNamed, LOCALES } from '#contract/locales.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The language of the caller's account; null until it is known, or if it has none. */
    accountLocale: Locale | null
  }
}

/**
 * The language of a reply. In order of precedence: what our application names with each call, what the
 * visitor has chosen (a cookie), the account's language, what the browser asks for.
 */
export function localeOf(request: FastifyRequest): Locale {
  const { headers, url, accountLocale } = request
  return (
    (url.startsWith(API_BASE) ? localeNamed(headers['accept-language']) : undefined) ??
    chosenIn(request) ??
    accountLocale ??
    preferredIn(headers) ??
    DEFAULT_LOCALE
  )
}

/** From the Cookie header, because `request.cookies` is empty until a hook has run. */
const chosenIn = ({ headers: { cookie }, server }: FastifyRequest): Locale | undefined =>
  cookie?.includes(LOCALE_KEY) ? localeNamed(server.parseCookie(cookie)[LOCALE_KEY]) : undefined

/** The language that the browser likes best, whatever its region; undefined if it asks for none of ours. */
function preferredIn(headers: IncomingHttpHeaders): Locale | undefined {
  // Browsers send about a hundred characters. Parsing the longest possible header would take milliseconds.
  const accepted = headers['accept-language']?.slice(0, 500)
  if (accepted === undefined) return undefined
  const asked = new Negotiator({ headers: { 'accept-language': accepted } }).language(LOCALES.map(languageOf))
  return LOCALES.find((locale) => languageOf(locale) === asked)
}

const languageOf = (tag: string) => tag.replace(/-.*/, '')

export function setLanguage(reply: FastifyReply, locale: Locale): void {
  const vary = [reply.getHeader('vary') ?? []].flat().map(String)
  reply
    .header('content-language', locale)
    .header('vary', [...vary, 'Accept-Language', 'Cookie', 'Authorization'].join(', '))
}
