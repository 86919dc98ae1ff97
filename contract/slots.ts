import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageReply } from './entities.ts'

/** How long a rejected claim keeps its slot, and how long a slot is reserved for the next of the waiting list. */
export const SLOT_HOURS = 24

export const joinWaitingList = endpoint({
  method: 'POST',
  path: '/waiting-list',
  access: 'participant',
  summary: 'Wait for a slot that becomes free; a repeat tells the place again. 1 is next.',
  limits: [{ per: 'account', take: 30, seconds: 60 }],
  reply: {
    status: 200,
    body: z.extend(MessageReply, { data: z.object({ place: z.number(), since: z.string() }) }),
  },
  refusals: [
    'slots_left',
    'slot_held',
    'already_claimed',
    'attempts_over',
    'campaign_not_open',
    'campaign_closed',
  ],
})

export const leaveWaitingList = endpoint({
  method: 'DELETE',
  path: '/waiting-list',
  access: 'participant',
  summary: 'Wait no longer; a slot that was reserved goes to the next. A repeat changes nothing.',
  limits: [{ per: 'account', take: 30, seconds: 60 }],
  reply: { status: 200, body: MessageReply },
  refusals: [],
})
