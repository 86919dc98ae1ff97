/** What a message to sign says. */
export type Ownership = {
  /** PUBLIC_URL: what the wallet compares with the page that asks. Never what a request claims to have reached. */
  publicUrl: string
  /** With its EIP-55 checksum. */
  address: string
  chainId: number
  /** The participant, so that a message that someone passes on to a victim names whom it is for. */
  username: string
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

/**
 * Composes the text that a wallet signs to prove its ownership, as EIP-4361 (Sign-In with Ethereum) lays it out. The
 * statement is one line of the characters that the standard allows.
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
