import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_BASE } from '#contract/endpoint.ts'

/** One cookie: what a browser keeps for us and no script of a page can read. None of them gives a right by itself. */
export type BrowserCookie = {
  /** What it sent, as it likes: to be checked. */
  value: string | undefined
  set(value: string): void
  clear(): void
}

type Kind = {
  name: string
  path: string
  /** How long the browser keeps it. */
  seconds: number
  sameSite: 'Strict' | 'Lax'
  /** Over TLS no other host, also none below the same domain, can set it. */
  ofThisHostAlone?: true
}

const DAY = 86_400
const ACCOUNT_CALLS = { path: `${API_BASE}/users`, sameSite: 'Strict' } as const

export const COOKIES = {
  /** Tells who asked for a code from strangers who guess at it. */
  flow: { name: 'flow', seconds: DAY, ...ACCOUNT_CALLS },
  /** Tells a browser that logged in before from strangers who try passwords. */
  device: { name: 'device', seconds: 365 * DAY, ...ACCOUNT_CALLS },
  /** What the tokens of this browser count together with; as long as the longest session. */
  binding: { name: 'binding', seconds: 7 * DAY, path: '/', sameSite: 'Lax', ofThisHostAlone: true },
} satisfies Record<string, Kind>

/** @param secure whether visitors reach the site over TLS. */
export function browserCookie(
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  secure: boolean,
): BrowserCookie {
  const name = nameOf(kind, secure)
  const set = (value: string, seconds: number) => {
    const attributes = `Path=${kind.path}; Max-Age=${seconds}; HttpOnly; SameSite=${kind.sameSite}`
    reply.header('set-cookie', `${name}=${value}; ${attributes}${secure ? '; Secure' : ''}`)
  }
  return {
    value: heldAs(name, request),
    set: (value) => set(value, kind.seconds),
    clear: () => set('', 0),
  }
}

/** What a browser holds, where nothing is to be given. */
export const cookieValue = (kind: Kind, request: FastifyRequest, secure: boolean): string | undefined =>
  heldAs(nameOf(kind, secure), request)

function heldAs(name: string, request: FastifyRequest): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Browsers take a `__Host-` cookie only over TLS. */
const nameOf = ({ name, ofThisHostAlone }: Kind, secure: boolean) =>
  ofThisHostAlone && secure ? `__Host-${name}` : name
