import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Pagination, Task, Told, User } from './entities.ts'
import { Uuid, wholeNumber } from './fields.ts'

export const submitProof = endpoint({
  method: 'POST',
  path: '/tasks',
  access: 'participant',
  summary: 'Claim a slot of the campaign with the proof of the four tasks.',
  limits: [
    { per: 'account', take: 60, seconds: 60 },
    { per: 'network', take: 20, seconds: 3600, forWork: 280 },
  ],
  body: z.strictObject({
    wallet: z.string().check(z.maxLength(60, 'wallet_format')),
    telegram: z.string().check(z.maxLength(60, 'telegram_format')),
    twitter: z.string().check(z.maxLength(60, 'twitter_format')),
    retweetLink: z.string().check(z.maxLength(300, 'retweet_link_format')),
  }),
  reply: { status: 201, body: z.extend(Told, { data: Task }) },
  refusals: [
    'already_claimed',
    'wallet_taken',
    'handle_taken',
    'post_taken',
    'slots_gone',
    'campaign_not_open',
    'campaign_closed',
  ],
})

export const listSubmissions = endpoint({
  method: 'GET',
  path: '/users/',
  access: 'admin',
  summary: 'Participants who submitted, in order of submission whatever the state.',
  query: z.strictObject({ page: wholeNumber(1, 1_000_000, 1), limit: wholeNumber(1, 100, 20) }),
  reply: { status: 200, body: z.object({ data: z.array(User), pagination: Pagination }) },
  refusals: [],
})

export const approveClaim = endpoint({
  method: 'PUT',
  path: '/tasks/:taskId/approve',
  access: 'admin',
  summary: "Verify a claim and credit the campaign's amounts once; a repeat changes nothing.",
  params: z.strictObject({ taskId: Uuid }),
  body: z.strictObject({ pfPoints: z.number(), plsPoints: z.number() }),
  reply: { status: 200, body: z.extend(Told, { data: Task }) },
  refusals: ['claim_not_found', 'claim_rejected', 'wrong_points', 'own_claim'],
})
