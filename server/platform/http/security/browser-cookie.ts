import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_BASE } from '#contract/protocol/endpoint.ts'

/** An HttpOnly cookie, which grants no access by itself. */
export type BrowserCookie = {
  /** Cookie value as sent: untrusted. */
  value: string | undefined
  set(value: string): void
  clear(): void
}

type Kind = {
  name: string
  path: string
  maxAgeSeconds: number
  sameSite: 'strict' | 'lax'
  /** Over TLS, uses the `__Host-` prefix: no other host of the same domain can set it. */
  isHostOnly?: true
}

const DAY_SECONDS = 86_400
const ACCOUNT_ENDPOINTS = { path: `${API_BASE}/users`, sameSite: 'strict' } as const

export const COOKIES = {
  /** Distinguishes the browser that requested a code from strangers who guess it. */
  flow: { name: 'flow', maxAgeSeconds: DAY_SECONDS, ...ACCOUNT_ENDPOINTS },
  /** Distinguishes a browser that has logged in before from strangers who guess passwords. */
  device: { name: 'device', maxAgeSeconds: 365 * DAY_SECONDS, ...ACCOUNT_ENDPOINTS },
  /** Session tokens issued to this browser are valid only with it. Lasts as long as the longest session. */
  binding: { name: 'binding', maxAgeSeconds: 7 * DAY_SECONDS, path: '/', sameSite: 'lax', isHostOnly: true },
} satisfies Record<string, Kind>

export function browserCookie(
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  isHttps: boolean,
): BrowserCookie {
  const name = cookieName(kind, isHttps)
  const set = (value: string, maxAge: number) => {
    const { path, sameSite } = kind
    reply.setCookie(name, value, { path, maxAge, httpOnly: true, sameSite, secure: isHttps })
  }
  return {
    value: request.cookies[name],
    set: (value) => set(value, kind.maxAgeSeconds),
    clear: () => set('', 0),
  }
}

export const cookieValue = (kind: Kind, request: FastifyRequest, isHttps: boolean): string | undefined =>
  request.cookies[cookieName(kind, isHttps)]

/** Browsers take a `__Host-` cookie only over TLS. */
const cookieName = ({ name, isHostOnly }: Kind, isHttps: boolean) =>
  isHostOnly && isHttps ? `__Host-${name}` : name
