import * as z from 'zod/mini'
import { STAGES } from './phase.ts'
import { endpoint } from './protocol/endpoint.ts'

/** PF: points in the token. PLS: points in the chain's coin. */
const PointsByKind = { pfPoints: z.number(), plsPoints: z.number() }

export const Pause = z.object({
  since: z.string(),
  notice: z.string(),
  /** When the campaign is expected to resume; null if unknown, or once that time has passed. */
  until: z.nullable(z.string()),
})
export type Pause = z.output<typeof Pause>

const Campaign = z.object({
  id: z.string(),
  name: z.string(),
  token: z.object({
    name: z.string(),
    symbol: z.string(),
    /** In whole tokens, with thousands separators. */
    supply: z.string(),
    contract: z.string(),
    chainId: z.number(),
    /** Whether `contract` is a made-up address. */
    placeholder: z.boolean(),
  }),
  tasks: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      url: z.string(),
      /** Points of each kind, or `pfPoints` if the task has points of its own. */
      points: z.number(),
      ...PointsByKind,
    }),
  ),
  /** What a task is worth in each kind, unless it has points of its own. */
  pointsPerTask: z.number(),
  /** What approving a claim credits. */
  ...PointsByKind,
  slots: z.object({ total: z.number(), left: z.number() }),
  opensAt: z.string(),
  closesAt: z.nullable(z.string()),
  /** Whether a claim would be accepted now. */
  open: z.boolean(),
  stage: z.enum(STAGES),
  paused: z.nullable(Pause),
})
export type Campaign = z.output<typeof Campaign>

export const campaign = endpoint('GET /campaign', {
  access: 'public',
  cache: 'public',
  summary: 'The campaign: token, tasks, points, dates and remaining slots.',
  reply: z.object({ data: Campaign }),
})
