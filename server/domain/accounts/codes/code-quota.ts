import type { Tx } from '#server/platform/database/database.ts'
import { countedNetworks } from '#server/platform/limits/network.ts'
import { type CountedLimit, consume } from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { Keys } from '#server/platform/secrets.ts'
import { type Purpose, secondsUntilNextCode } from './one-time-codes.ts'

/** Codes a day for an IPv4 address or an IPv6 /64, out of ten for the email; a /56 has four, a /48 five. */
const PER_NETWORK = 3
const DAY = 86_400

type Requester = { purpose: Purpose; emailKey: string; network: string }

/**
 * Rate limits of one network for the codes of an email, so that a stranger cannot use up the owner's.
 * Networks are stored as keyed hashes; `code-share` is part of stored keys, so it keeps its name.
 */
export function codeQuotaOf(keys: Keys, { purpose, emailKey, network }: Requester): CountedLimit[] {
  return countedNetworks(network).map((counted, index) => ({
    key: `codes ${purpose} ${keys.hmac('code-share', counted.network).toString('base64url', 0, 16)} ${emailKey}`,
    limit: { take: PER_NETWORK + index, seconds: DAY },
  }))
}

/**
 * Refuses a request for a code during the cooldown of the email. Otherwise counts it against its network, unless it
 * is from a device that the account knows.
 * @throws refusal `code_cooldown` with the seconds until another request is allowed.
 */
export async function admitRequest(
  tx: Tx,
  keys: Keys,
  { device, ...request }: Requester & { device?: string | undefined },
): Promise<void> {
  const { purpose, emailKey } = request
  const cooldown = await secondsUntilNextCode(tx, purpose, emailKey, device)
  const isCounted = cooldown === 0 && device === undefined
  const wait = isCounted ? await consume(tx, ...codeQuotaOf(keys, request)) : cooldown
  if (wait > 0) throw refuse('code_cooldown', { retryAfter: wait })
}
