import * as z from 'zod/mini'
import { Challenge } from './challenge.ts'

/** A refusal as clients parse it. `code` is any string: a newer server may send one that they do not know. */
export const Refusal = z.object({
  /** For display. */
  message: z.string(),
  code: z.string(),
  /** An error message per invalid field. */
  fields: z.optional(z.record(z.string(), z.string())),
  /** The administrator who has locked the claim. */
  by: z.optional(z.string()),
  requestId: z.optional(z.string()),
  /** Retry the call with the solution in the X-Challenge header. */
  challenge: z.optional(Challenge),
})
export type Refusal = z.output<typeof Refusal>
