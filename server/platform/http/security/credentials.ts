import type { FastifyRequest } from 'fastify'
import { cookieValue, COOKIES } from './browser-cookie.ts'

/** A bearer token, which in a browser is only valid with the binding cookie. */
export type Credentials = {
  authorization: string | undefined
  /** The binding cookie as sent. Does not authenticate by itself. */
  binding: string | undefined
}

export const credentialsOf = (request: FastifyRequest, isHttps: boolean): Credentials => ({
  authorization: request.headers.authorization,
  binding: cookieValue(COOKIES.binding, request, isHttps),
})

/** Browsers always send one of these headers at login; other programs need not. */
export const isBrowser = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
