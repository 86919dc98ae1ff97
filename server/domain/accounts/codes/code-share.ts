import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { countedNetworks } from '#server/platform/limits/network.ts'
import { type CountedLimit, refund, consume } from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { Keys } from '#server/platform/secrets.ts'
import type { Purpose } from './codes.ts'
import type { EmailAddress } from '../rules.ts'

/** Codes a day for an IPv4 address or an IPv6 /64, out of ten for the email; its /56 and /48 get one more each. */
const SHARE = 3
const DAY = 86_400

/** Rate limits of one network for the codes of an email, so that a stranger cannot use up the owner's. */
export type CodeShare = readonly CountedLimit[]

/** Networks are stored as keyed hashes. */
export function codeShareOf(
  keys: Keys,
  { purpose, emailKey, network }: { purpose: Purpose; emailKey: string; network: string },
): CodeShare {
  return countedNetworks(network).map((counted, index) => ({
    key: `codes ${purpose} ${keys.hmac('code-share', counted.network).toString('base64url', 0, 16)} ${emailKey}`,
    limit: { take: SHARE + index, seconds: DAY },
  }))
}

/** @returns whether the network may request another code. */
export async function consumeShare(tx: Tx, share: CodeShare): Promise<boolean> {
  return (await consume(tx, ...share)) === 0
}

type CodeRequest = { purpose: Purpose; email: EmailAddress; from: { network: string } }

/** @throws refusal `code_cooldown` with the seconds until the network may request a code again. */
export async function consumeShareOrRefuse(
  tx: Tx,
  { keys }: Pick<Deps, 'keys'>,
  { purpose, email, from }: CodeRequest,
): Promise<void> {
  const wait = await consume(
    tx,
    ...codeShareOf(keys, { purpose, emailKey: email.key, network: from.network }),
  )
  if (wait > 0) throw refuse('code_cooldown', { retryAfter: wait })
}

/** For a code that will never be mailed. */
export async function refundShare(tx: Tx, share: CodeShare): Promise<void> {
  for (const { key } of share) await refund(tx, key)
}
