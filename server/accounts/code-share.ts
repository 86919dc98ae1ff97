import type { Deps } from '../deps.ts'
import type { Tx } from '../platform/database.ts'
import { countedNetworks } from '../platform/http/network.ts'
import { type Counted, refund, consume } from '../platform/rate-limiter.ts'
import { refuse } from '../platform/refusal.ts'
import type { Keys } from '../platform/secrets.ts'
import type { Purpose } from './codes.ts'
import type { EmailAddress } from './rules.ts'

/** Of the ten codes a day, for one IPv4 address or IPv6 /64; the /56 and the /48 around it get one more each. */
const SHARE = 3
const DAY = 86_400

/** The codes that one network may ask for, so that no stranger uses up what the owner of an e-mail needs. */
export type CodeShare = readonly Counted[]

/** The share of a caller's network in the codes of an e-mail and purpose; networks are kept as a keyed hash. */
export function codeShareOf(
  keys: Keys,
  { purpose, emailKey, network }: { purpose: Purpose; emailKey: string; network: string },
): CodeShare {
  return countedNetworks(network).map(({ key }, index) => ({
    key: `codes ${purpose} ${keys.hmac('code-share', key).toString('base64url', 0, 16)} ${emailKey}`,
    budget: { take: SHARE + index, seconds: DAY },
  }))
}

/** @returns whether the network may ask for one more. */
export async function takeShare(tx: Tx, share: CodeShare): Promise<boolean> {
  return (await consume(tx, ...share)) === 0
}

type Asked = { purpose: Purpose; email: EmailAddress; from: { network: string } }

/** @throws refusal `code_cooldown` with the seconds until the network may ask again. */
export async function takeShareOrRefuse(
  tx: Tx,
  { keys }: Pick<Deps, 'keys'>,
  { purpose, email, from }: Asked,
): Promise<void> {
  const wait = await consume(
    tx,
    ...codeShareOf(keys, { purpose, emailKey: email.key, network: from.network }),
  )
  if (wait > 0) throw refuse('code_cooldown', { retryAfter: wait })
}

/** For a code that was not mailed, and will not be. */
export async function giveShareBack(tx: Tx, share: CodeShare): Promise<void> {
  for (const { key } of share) await refund(tx, key)
}
