import type { FastifyRequest } from 'fastify'
import { cookieValue, COOKIES } from './browser-cookie.ts'

/** What a caller sends to say who they are: a bearer, which in a browser counts only with what that keeps. */
export type Credentials = {
  /** The Authorization header as it came. */
  authorization: string | undefined
  /** The browser's binding as it came. By itself it is nobody's. */
  binding: string | undefined
}

/** @param secure whether visitors reach the site over TLS. */
export const credentialsOf = (request: FastifyRequest, secure: boolean): Credentials => ({
  authorization: request.headers.authorization,
  binding: cookieValue(COOKIES.binding, request, secure),
})

/** Every browser says at a login where it comes from; other programs do so only if they wish. */
export const isBrowser = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
