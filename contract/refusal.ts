import * as z from 'zod/mini'
import { Challenge } from './challenge.ts'

/** What a refusal looks like to a client, which may be older than the server and not know each of its codes. */
export const Refusal = z.object({
  /** For the person. */
  message: z.string(),
  code: z.string(),
  /** Why each refused field was refused, by field name. */
  fields: z.optional(z.record(z.string(), z.string())),
  /** Who is in the way: the name of the administrator who holds the claim. */
  by: z.optional(z.string()),
  requestId: z.optional(z.string()),
  /** The same call passes with this one solved, in the header X-Challenge. */
  challenge: z.optional(Challenge),
})
export type Refusal = z.output<typeof Refusal>
