import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'
import { MessageReply } from '../entities.ts'

/** How long a slot stays kept after a rejection, or reserved for the waiting list. */
export const SLOT_HOURS = 24

export const NO_CLAIMS_NOW = ['campaign_not_open', 'campaign_closed', 'campaign_paused'] as const

export const joinWaitingList = endpoint('POST /waiting-list', {
  access: 'participant',
  summary: 'Join the waiting list. Idempotent; returns the place in line, where 1 is next.',
  limits: [{ per: 'account', take: 30, seconds: 60 }],
  reply: z.extend(MessageReply, { data: z.object({ place: z.number(), since: z.string() }) }),
  refusals: ['slots_left', 'slot_held', 'already_claimed', 'attempts_over', ...NO_CLAIMS_NOW],
})

export const leaveWaitingList = endpoint('DELETE /waiting-list', {
  access: 'participant',
  summary: 'Leave the waiting list; a reserved slot goes to the next in line. Idempotent.',
  limits: [{ per: 'account', take: 30, seconds: 60 }],
  reply: MessageReply,
})
