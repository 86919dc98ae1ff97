import type { CodePurpose } from '#contract/accounts/accounts.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { countedNetworks } from '#server/platform/limits/network.ts'
import { type CountedLimit, consume } from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { Keys } from '#server/platform/secrets.ts'
import { secondsUntilNextCode } from './one-time-codes.ts'

/** Codes a day that an IPv4 address or IPv6 /64 may request for an email; four for a /56, five for a /48. */
const MAX_CODES_PER_NETWORK = 3
const DAY_SECONDS = 86_400

type Requester = { purpose: CodePurpose; emailKey: string; network: string }

/**
 * Rate limits of one network for the codes of an email, so that no stranger can use up the owner's codes.
 * Networks are stored as keyed hashes. These depend on the label `code-share`, so it keeps its name.
 */
export function codeQuotaOf(keys: Keys, { purpose, emailKey, network }: Requester): CountedLimit[] {
  return countedNetworks(network).map((counted, index) => ({
    key: `codes ${purpose} ${keys.hmac('code-share', counted.network).toString('base64url', 0, 16)} ${emailKey}`,
    limit: { take: MAX_CODES_PER_NETWORK + index, seconds: DAY_SECONDS },
  }))
}

/**
 * Refuses a request for a code during a cooldown. A `device` that the account knows has a cooldown of its
 * own. A request without one has the email's cooldown, and counts toward the limits of its network.
 * @throws refusal `code_cooldown` with the seconds until the next request is allowed.
 */
export async function admitRequest(
  tx: Tx,
  keys: Keys,
  { device, ...request }: Requester & { device?: string | undefined },
): Promise<void> {
  const { purpose, emailKey } = request
  const cooldownSeconds = await secondsUntilNextCode(tx, purpose, emailKey, device)
  const isCounted = cooldownSeconds === 0 && device === undefined
  const retryAfter = isCounted ? await consume(tx, ...codeQuotaOf(keys, request)) : cooldownSeconds
  if (retryAfter > 0) throw refuse('code_cooldown', { retryAfter })
}
