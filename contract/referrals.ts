import * as z from 'zod/mini'
import { endpoint } from './protocol/endpoint.ts'

export const referral = endpoint('GET /referrals/:code', {
  access: 'public',
  summary: 'The username that a referral code belongs to.',
  limits: [{ per: 'network', take: 60, seconds: 60 }],
  params: z.strictObject({ code: z.string() }),
  reply: z.object({ data: z.object({ username: z.string() }) }),
  refusals: ['referral_not_found'],
})
