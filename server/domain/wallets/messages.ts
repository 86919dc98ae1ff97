import { randomBytes } from 'node:crypto'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { fromNow, NOW } from '#server/platform/database/times.ts'

const LIFETIME = '10 minutes'

/** `text` is what the wallet signs. */
export type OwnershipMessage = { address: string; text: string }

export async function issueMessage(
  { db, campaign }: Deps,
  publicUrl: string,
  { userId, address }: { userId: string; address: string },
): Promise<{ nonce: string; message: string }> {
  const { username, issuedAt, expiresAt } = await readNameAndTimes(db, userId)
  const nonce = randomBytes(16).toString('hex')
  const chainId = campaign.chain.id
  const text = composeMessage({ publicUrl, address, chainId, username, nonce, issuedAt, expiresAt })
  await db
    .insertInto('wallet_messages')
    .values({ nonce, campaign_id: campaign.id, user_id: userId, address, text, expires_at: expiresAt })
    .execute()
  return { nonce, message: text }
}

/** Times by the database's clock, which also decides whether a message has expired. */
const readNameAndTimes = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .select(['username', NOW.as('issuedAt'), fromNow(LIFETIME).as('expiresAt')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

export type Ownership = {
  /** Configured, never from a request: the wallet compares it with the page that asks for the signature. */
  publicUrl: string
  /** With its EIP-55 checksum. */
  address: string
  chainId: number
  /** Lets someone who is tricked into signing for another account see that it is not theirs. */
  username: string
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

/**
 * The text that a wallet signs to prove its ownership, in the format of EIP-4361 (Sign-In with Ethereum). The
 * standard limits the statement to one line of certain ASCII characters.
 */
export function composeMessage(ownership: Ownership): string {
  const { publicUrl, address, chainId, username, nonce, issuedAt, expiresAt } = ownership
  const { host, origin } = new URL(publicUrl)
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    `This proves that the wallet belongs to the participant ${username}. ${NO_TRANSACTION}`,
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
  ].join('\n')
}

const NO_TRANSACTION = 'This is not a transaction: it costs nothing, approves nothing, and none will follow.'

/**
 * Deletes and returns the message with that nonce. Of several parallel calls, only one gets it.
 * @returns undefined if the nonce is unknown, used, expired or another participant's.
 */
export async function consumeMessage(
  { db, campaign }: Deps,
  userId: string,
  nonce: string,
): Promise<OwnershipMessage | undefined> {
  return db
    .deleteFrom('wallet_messages')
    .where('nonce', '=', nonce)
    .where('campaign_id', '=', campaign.id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', NOW)
    .returning(['address', 'text'])
    .executeTakeFirst()
}

export async function purgeMessages(db: Database): Promise<void> {
  await db.deleteFrom('wallet_messages').where('expires_at', '<', NOW).execute()
}
