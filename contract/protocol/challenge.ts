import * as z from 'zod/mini'

/** The header with the solution: base64 of the JSON `{ challenge, solution: { counter, derivedKey } }`. */
export const CHALLENGE_HEADER = 'x-challenge'

const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`)))

/**
 * A signed challenge of ALTCHA's proof of work, version 2. The solution is the first counter for which PBKDF2
 * of `nonce` and the counter (32 bits, big-endian), with `salt` and `cost`, starts with `keyPrefix`.
 */
export const Challenge = z.strictObject({
  parameters: z.strictObject({
    algorithm: z.literal('PBKDF2/SHA-256'),
    /** PBKDF2 iterations per counter. */
    cost: z.number(),
    /** Exclusive upper bound of the counter, for a progress bar. */
    data: z.strictObject({ counterBelow: z.number() }),
    /** Seconds since 1970. */
    expiresAt: z.number(),
    /** Bytes of the key that PBKDF2 derives. */
    keyLength: z.number(),
    /** The server derives it from a counter of its choice, so that there is a solution. */
    keyPrefix: hex(16),
    /** Lets the server verify a solution without repeating the work. */
    keySignature: hex(32),
    nonce: hex(16),
    salt: hex(16),
  }),
  signature: hex(32),
})
export type Challenge = z.output<typeof Challenge>
