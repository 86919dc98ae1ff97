import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'
import { MessageReply, User } from '../entities.ts'
import { Email, NewAdminPassword, Username } from '../protocol/fields.ts'

/** In the setup link, which the server prints. Only the length is checked: a mistyped token is “wrong”. */
const SetupToken = z.string().check(z.minLength(1, 'required'), z.maxLength(200, 'text_long'))

const LINK_REFUSALS = ['setup_link_wrong', 'setup_link_used', 'setup_link_expired', 'setup_done'] as const

export const checkSetupLink = endpoint('POST /setup/link', {
  access: 'public',
  invalidatesCacheOf: [], // no public answer changes
  summary: 'Check whether the token of a setup link is still valid.',
  limits: [{ per: 'network', take: 60, seconds: 600 }],
  body: z.strictObject({ token: SetupToken }),
  reply: MessageReply,
  refusals: LINK_REFUSALS,
})

export const setUp = endpoint('POST /setup', {
  access: 'public',
  invalidatesCacheOf: [],
  summary: 'Create the first administrator with the token of a setup link, and log in.',
  limits: [{ per: 'network', take: 20, seconds: 600 }],
  body: z.strictObject({ token: SetupToken, email: Email, username: Username, password: NewAdminPassword }),
  status: 201,
  reply: z.extend(MessageReply, { token: z.string(), data: User }),
  refusals: [...LINK_REFUSALS, 'username_taken'],
})
