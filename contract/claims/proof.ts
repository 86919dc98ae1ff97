import * as z from 'zod/mini'

/** What a claim shows, normalized: part of every resource that describes a claim. */
export const Proof = z.object({
  wallet: z.string(),
  telegram: z.string(),
  twitter: z.string(),
  retweetLink: z.string(),
})
export type Proof = z.output<typeof Proof>
