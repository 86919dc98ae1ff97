import { beginWallet, finishWallet, type ProvenWallet } from '#contract/accounts/wallets.ts'
import { SIGNING } from '#messages/signing.js'
import { ApiError, fieldsOf, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { shortenAddress } from '#web/ui/text/format.ts'
import { codeOf, type Provider } from './ask-wallet.ts'
import type { Wallet } from './wallets.ts'

/** The texts for refusals, by the code of the wallet's error. */
const REFUSALS: Readonly<Record<string, typeof SIGNING.failed>> = SIGNING.refusals

/** Says why nothing was proven, in words for the participant. */
class ProofError extends Error {}

/**
 * Asks a wallet for its accounts and to sign the server's message about an address, then sends the signature.
 * Never asks for a transaction.
 * @param typed the address to prove, sent with its checksum; if empty, the wallet's first account.
 * @throws ProofError
 */
export async function proveWallet(
  { name, provider }: Wallet,
  typed: string,
): Promise<{ wallet: ProvenWallet; message: string }> {
  if (typed !== '' && !/^0x[0-9a-f]{40}$/i.test(typed)) throw new ProofError(SIGNING.incomplete)
  try {
    const account = await askForAccount(name, provider, typed)
    const { data } = await call(beginWallet, { body: { wallet: typed || account } })
    const signature = await provider.request({
      method: 'personal_sign',
      params: [asHex(data.message), account],
    })
    const body = { nonce: data.nonce, signature: String(signature) }
    const { data: wallet, message } = await call(finishWallet, { body })
    return { wallet, message }
  } catch (error) {
    throw asProofError(error, name)
  }
}

/** Asks for the account to sign with: `wanted` or, if that is empty, the wallet's first. */
async function askForAccount(name: string, provider: Provider, wanted: string): Promise<string> {
  const answer = await provider.request({ method: 'eth_requestAccounts' })
  const accounts = Array.isArray(answer) ? answer.filter((account) => typeof account === 'string') : []
  const [firstAccount] = accounts
  if (firstAccount === undefined) throw new ProofError(SIGNING.noAccount({ name }))
  if (wanted === '') return firstAccount
  const account = accounts.find((address) => address.toLowerCase() === wanted.toLowerCase())
  if (account === undefined)
    throw new ProofError(
      SIGNING.otherAccount({ name, account: shortenAddress(firstAccount), wanted: shortenAddress(wanted) }),
    )
  return account
}

/** As bytes, because some wallets take a text that begins with 0x for bytes. */
function asHex(text: string): string {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function asProofError(error: unknown, name: string): ProofError {
  if (error instanceof ProofError) return error
  if (error instanceof ApiError) {
    const [reason] = Object.values(fieldsOf(error))
    return new ProofError(reason ?? messageOf(error, SIGNING.unanswered))
  }
  console.error('Signing failed', error)
  return new ProofError((REFUSALS[`${codeOf(error)}`] ?? SIGNING.failed)({ name }))
}
