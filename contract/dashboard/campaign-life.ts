import * as z from 'zod/mini'
import { MAX_SLOTS } from '../campaign-file.ts'
import { CampaignRecord } from '../campaigns.ts'
import { Pause } from '../campaign.ts'
import { MessageReply } from '../entities.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { moment, plainText } from '../protocol/fields.ts'

export const MAX_NOTICE_LENGTH = 300

/** The campaign as administrators see it: everything that decides what they may do next. */
export const CampaignLife = z.extend(CampaignRecord, {
  paused: z.nullable(Pause),
  undecided: z.number(), // claims without a decision
  /** Appeals that wait for an answer. */
  appeals: z.number(),
  /** Participants on the waiting list. */
  waiting: z.number(),
  /** Slots kept or reserved for someone without a live claim. */
  held: z.number(),
  /** The slots among `held` that can still be claimed. Archiving waits until they are used or expired. */
  kept: z.number(),
  /** When the last of the `kept` slots expires; null if there is none or a pause or appeal keeps them. */
  keptUntil: z.nullable(z.string()),
})
export type CampaignLife = z.output<typeof CampaignLife>

const Moment = moment('moment_format')
const LifeReply = z.extend(MessageReply, { data: CampaignLife })
const limits = [{ per: 'account', take: 20, seconds: 60 }] as const
const TypedCampaignId = z.strictObject({ campaign: z.string().check(z.maxLength(40, 'text_long')) })

export const campaignLife = endpoint('GET /campaign/life', {
  access: 'admin',
  summary: 'The campaign with its stage, its pause, and what is waiting for a reviewer.',
  reply: z.object({ data: CampaignLife }),
})

export const pauseCampaign = endpoint('POST /campaign/pause', {
  access: 'admin',
  summary:
    'Pause the campaign with a notice that everyone sees. No one can claim or join the waiting list, and no slot expires. Repeating the call changes the notice.',
  limits,
  body: z.strictObject({
    notice: plainText(1, MAX_NOTICE_LENGTH),
    until: z._default(z.nullable(Moment), null),
  }),
  reply: LifeReply,
  refusals: ['campaign_closed', 'campaign_archived'],
})

export const resumeCampaign = endpoint('POST /campaign/resume', {
  access: 'admin',
  summary: 'End the pause. Reserved slots are extended by its length.',
  limits,
  reply: LifeReply,
  refusals: ['campaign_not_paused'],
})

export const archiveCampaign = endpoint('POST /campaign/archive', {
  access: 'admin',
  summary:
    'Archive the campaign once it is over and everything is decided. After that, its decisions are final; it can still be paid out.',
  limits,
  body: TypedCampaignId,
  reply: LifeReply,
  refusals: ['campaign_open', 'campaign_unsettled', 'campaign_archived'],
})

export const extendCampaign = endpoint('POST /campaign/extend', {
  access: 'admin',
  summary: 'Move the end of the campaign to a later time.',
  limits,
  body: z.strictObject({ closesAt: Moment }),
  reply: LifeReply,
  refusals: ['campaign_archived', 'campaign_closed', 'promise_broken'],
})

export const addSlots = endpoint('POST /campaign/slots', {
  access: 'admin',
  summary: 'Raise the number of slots. The waiting list gets the new ones first.',
  limits,
  body: z.strictObject({
    slots: z.int('number_format').check(z.minimum(1, 'number_range'), z.maximum(MAX_SLOTS, 'number_range')),
  }),
  reply: LifeReply,
  refusals: ['campaign_archived', 'campaign_closed', 'promise_broken'],
})

export const closeCampaign = endpoint('POST /campaign/close', {
  access: 'admin',
  summary: 'Close the campaign now, earlier than announced. Ends a pause.',
  limits,
  body: TypedCampaignId,
  reply: LifeReply,
  refusals: ['campaign_archived', 'campaign_closed', 'campaign_not_open'],
})
