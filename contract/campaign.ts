import * as z from 'zod/mini'
import { endpoint } from './protocol/endpoint.ts'

const Campaign = z.object({
  name: z.string(),
  token: z.object({
    name: z.string(),
    symbol: z.string(),
    supply: z.string(),
    contract: z.string(),
    chainId: z.number(),
    placeholder: z.boolean(),
  }),
  tasks: z.array(z.object({ id: z.string(), title: z.string(), url: z.string(), points: z.number() })),
  pointsPerTask: z.number(),
  slots: z.object({ total: z.number(), left: z.number() }),
  opensAt: z.string(),
  closesAt: z.nullable(z.string()),
  open: z.boolean(),
})
export type Campaign = z.output<typeof Campaign>

export const campaign = endpoint({
  method: 'GET',
  path: '/campaign',
  access: 'public',
  cache: 'public',
  summary: 'The campaign: token, tasks, points, dates and remaining slots.',
  reply: { status: 200, body: z.object({ data: Campaign }) },
  refusals: [],
})
