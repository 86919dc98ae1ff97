import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { countedNetworks } from '#server/platform/limits/network.ts'
import { type CountedLimit, refund, consume } from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { Keys } from '#server/platform/secrets.ts'
import type { Purpose } from './one-time-codes.ts'
import type { EmailAddress } from '../validate-fields.ts'

/** Codes a day for an IPv4 address or an IPv6 /64, out of ten for the email; a /56 has four, a /48 five. */
const PER_NETWORK = 3
const DAY = 86_400

/** Rate limits of one network for the codes of an email, so that a stranger cannot use up the owner's. */
export type CodeQuota = readonly CountedLimit[]

/** Networks are stored as keyed hashes; `code-share` is part of stored keys, so it keeps its name. */
export function codeQuotaOf(
  keys: Keys,
  { purpose, emailKey, network }: { purpose: Purpose; emailKey: string; network: string },
): CodeQuota {
  return countedNetworks(network).map((counted, index) => ({
    key: `codes ${purpose} ${keys.hmac('code-share', counted.network).toString('base64url', 0, 16)} ${emailKey}`,
    limit: { take: PER_NETWORK + index, seconds: DAY },
  }))
}

/** @returns whether the network may request another code; if so, the code is counted. */
export async function tryConsumeQuota(tx: Tx, quota: CodeQuota): Promise<boolean> {
  return (await consume(tx, ...quota)) === 0
}

type CodeRequest = { purpose: Purpose; email: EmailAddress; from: { network: string } }

/** Counts a code. @throws refusal `code_cooldown` with the seconds until the network may request another. */
export async function consumeQuota(
  tx: Tx,
  { keys }: Pick<Deps, 'keys'>,
  { purpose, email, from }: CodeRequest,
): Promise<void> {
  const wait = await consume(
    tx,
    ...codeQuotaOf(keys, { purpose, emailKey: email.key, network: from.network }),
  )
  if (wait > 0) throw refuse('code_cooldown', { retryAfter: wait })
}

/** Returns the count of a code that will never be mailed. */
export async function refundQuota(tx: Tx, quota: CodeQuota): Promise<void> {
  for (const { key } of quota) await refund(tx, key)
}
