import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_LOCALE, type Locale, LOCALE_KEY, localeNamed, LOCALES } from '#contract/locales.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { chooseLanguage } from './negotiation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The language of the caller's account; null until it is known, or if it has none. */
    accountLocale: Locale | null
  }
}

/**
 * The language of a reply: the one that our application is shown in, which it sends with each call; else the
 * one that the visitor has chosen, the one of the account, or the best that the browser asks for. What is not
 * a language of ours counts as not sent.
 */
export function localeOf(request: FastifyRequest): Locale {
  const { headers, url, accountLocale } = request
  return (
    (url.startsWith(API_BASE) ? localeNamed(headers['accept-language']) : undefined) ??
    chosenIn(request) ??
    accountLocale ??
    chooseLanguage(headers, LOCALES) ??
    DEFAULT_LOCALE
  )
}

/** From the header as sent, so that it is known before any hook has run. */
const chosenIn = ({ headers: { cookie }, server }: FastifyRequest): Locale | undefined =>
  cookie?.includes(LOCALE_KEY) ? localeNamed(server.parseCookie(cookie)[LOCALE_KEY]) : undefined

/** Says which language a reply is in, and what that depends on. */
export function setLanguage(reply: FastifyReply, locale: Locale): void {
  const vary = [reply.getHeader('vary') ?? []].flat().map(String)
  reply
    .header('content-language', locale)
    .header('vary', [...vary, 'Accept-Language', 'Cookie', 'Authorization'].join(', '))
}
