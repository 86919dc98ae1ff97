import * as z from 'zod/mini'

/** What a claim shows, normalized: part of every resource that describes a claim. */
export const Proof = z.object({
  wallet: z.string(),
  telegram: z.string(),
  twitter: z.string(),
  retweetLink: z.string(),
})
export type Proof = z.output<typeof Proof>

/** The same fields as typed into the form; the server normalizes them. */
export const TypedProof = z.strictObject({
  wallet: z.string().check(z.maxLength(60, 'wallet_format')),
  telegram: z.string().check(z.maxLength(60, 'telegram_format')),
  twitter: z.string().check(z.maxLength(60, 'twitter_format')),
  retweetLink: z.string().check(z.maxLength(300, 'retweet_link_format')),
}) satisfies z.core.$ZodType<Proof>
