import * as z from 'zod/mini'
import { MessageReply } from '../entities.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { Uuid } from '../protocol/parameters.ts'
import { moment, plainText } from '../protocol/fields.ts'

export const MAX_EMAILS_PER_MINUTE = 1_000
export const MAX_ANNOUNCEMENT_LENGTH = { subject: 120, text: 10_000 } as const

/** `sending` until no email waits any more, or until it is `stopped`. A stopped one can be resumed. */
const AnnouncementState = z.enum(['draft', 'sending', 'stopped', 'sent'])

const Content = {
  subject: plainText(1, MAX_ANNOUNCEMENT_LENGTH.subject).check(
    z.refine((text) => !text.includes('\n'), 'text_format'),
  ),
  /** Paragraphs with an empty line between them; https addresses become links. */
  text: plainText(1, MAX_ANNOUNCEMENT_LENGTH.text),
}

/** Of the draft that the caller has seen. If it has been changed since, the call is refused. */
const seen = { updatedAt: z.optional(moment('moment_format')) }

export const Announcement = z.object({
  id: z.string(),
  subject: z.string(),
  text: z.string(),
  state: AnnouncementState,
  perMinute: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  /** The number of recipients when it was last started; null for a draft. */
  audience: z.nullable(z.number()),
  /**
   * `skipped`: opted out, banned, or a suppressed address. `waiting`: queued, or still to be queued; of a
   * stopped announcement, those who would get it if it were resumed now.
   */
  counts: z.object({ sent: z.number(), failed: z.number(), skipped: z.number(), waiting: z.number() }),
})
export type Announcement = z.output<typeof Announcement>

const AnnouncementReply = z.extend(MessageReply, { data: Announcement })
const params = z.strictObject({ id: Uuid })
const limits = [{ per: 'account', take: 60, seconds: 60 }] as const

export const listAnnouncements = endpoint('GET /announcements', {
  access: 'admin',
  summary: 'The newest 50 announcements, and how many participants have opted in.',
  reply: z.object({ data: z.array(Announcement), subscribers: z.number() }),
})

export const createAnnouncement = endpoint('POST /announcements', {
  access: 'admin',
  summary: 'Save a draft.',
  limits,
  body: z.strictObject(Content),
  reply: AnnouncementReply,
})

export const changeAnnouncement = endpoint('PUT /announcements/:id', {
  access: 'admin',
  summary: 'Change a draft.',
  limits,
  params,
  body: z.strictObject({ ...Content, ...seen }),
  reply: AnnouncementReply,
  refusals: ['announcement_not_found', 'announcement_started', 'announcement_changed'],
})

export const deleteAnnouncement = endpoint('DELETE /announcements/:id', {
  access: 'admin',
  summary: 'Delete a draft.',
  limits,
  params,
  query: z.strictObject(seen),
  reply: MessageReply,
  refusals: ['announcement_not_found', 'announcement_started', 'announcement_changed'],
})

export const previewAnnouncement = endpoint('POST /announcements/preview', {
  access: 'admin',
  summary: 'The email as the caller would get it, as HTML, as text, and as the paragraphs of both.',
  limits: [{ per: 'account', take: 120, seconds: 60 }],
  body: z.strictObject(Content),
  reply: z.object({
    data: z.object({
      subject: z.string(),
      html: z.string(),
      text: z.string(),
      /** Each paragraph as runs of text; `link` is the address that a run links to. */
      paragraphs: z.array(z.array(z.object({ text: z.string(), link: z.nullable(z.string()) }))),
    }),
  }),
})

export const testAnnouncement = endpoint('POST /announcements/:id/test', {
  access: 'admin',
  summary: 'Send an announcement to the caller alone.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  params,
  reply: MessageReply,
  refusals: ['announcement_not_found'],
})

export const sendAnnouncement = endpoint('POST /announcements/:id/send', {
  access: 'admin',
  summary: 'Send an announcement to everyone who opted in, or resume a stopped one. No one gets it twice.',
  limits,
  params,
  body: z.strictObject({
    perMinute: z
      .int('number_format')
      .check(z.minimum(1, 'number_range'), z.maximum(MAX_EMAILS_PER_MINUTE, 'number_range')),
    ...seen,
  }),
  reply: AnnouncementReply,
  refusals: [
    'announcement_not_found',
    'announcement_changed',
    'announcement_sent',
    'announcement_busy',
    'announcement_for_nobody',
  ],
})

export const stopAnnouncement = endpoint('POST /announcements/:id/stop', {
  access: 'admin',
  summary: 'Stop sending. Emails that were already handed over cannot be recalled.',
  limits,
  params,
  reply: AnnouncementReply,
  refusals: ['announcement_not_found', 'announcement_not_sending'],
})

export const announcementConsent = endpoint('GET /users/announcements', {
  access: 'participant',
  summary: 'Whether the caller has opted in to announcements by email.',
  reply: z.object({ data: z.object({ wanted: z.boolean() }) }),
})

export const setAnnouncementConsent = endpoint('PUT /users/announcements', {
  access: 'participant',
  summary: 'Opt in to or out of announcements by email.',
  limits: [{ per: 'account', take: 30, seconds: 60 }],
  body: z.strictObject({ wanted: z.boolean() }),
  reply: z.extend(MessageReply, { data: z.object({ wanted: z.boolean() }) }),
})
