import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_BASE } from '#contract/endpoint.ts'

/** What a browser keeps for us for a day and no script of a page can read: no session, and no right to anything. */
export type Keepsake = {
  /** What it sent, as it likes: to be checked. */
  held: string | undefined
  give(value: string): void
}

const NAME = 'flow'
const DAY = 86_400

/** @param secure whether visitors reach the site over TLS. */
export function keepsakeOf(request: FastifyRequest, reply: FastifyReply, secure: boolean): Keepsake {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  const held = cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1)
  const attributes = `Path=${API_BASE}/users; Max-Age=${DAY}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  return { held, give: (value) => void reply.header('set-cookie', `${NAME}=${value}; ${attributes}`) }
}
