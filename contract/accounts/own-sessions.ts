import * as z from 'zod/mini'
import { MessageReply } from '../entities.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { Uuid } from '../protocol/parameters.ts'

const OwnSession = z.object({
  id: z.string(),
  /** Browser family and system, as in `Firefox on Linux`; null if unknown. */
  device: z.nullable(z.string()),
  /** The login's network, without its last part; null if unknown, as for old logins. */
  network: z.nullable(z.string()),
  startedAt: z.string(),
  /** Accurate to the minute. */
  lastUsedAt: z.string(),
  isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const listSessions = endpoint('GET /users/sessions', {
  access: 'participant',
  summary: 'Where the caller’s account is logged in, most recently used first.',
  reply: z.object({ data: z.array(OwnSession) }),
})

export const endOneSession = endpoint('DELETE /users/sessions/:id', {
  access: 'participant',
  invalidatesCacheOf: [], // no public answer changes
  summary: 'End one session of the caller’s account.',
  params: z.strictObject({ id: Uuid }),
  reply: MessageReply,
})

export const endOtherSessions = endpoint('POST /users/sessions/end-others', {
  access: 'participant',
  invalidatesCacheOf: [],
  summary: 'End every session of the caller’s account except this one.',
  reply: MessageReply,
})
