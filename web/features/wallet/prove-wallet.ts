import { beginWallet, finishWallet, type ProvenWallet } from '#contract/accounts/wallets.ts'
import { SIGNING } from '#messages/signing.js'
import { ApiError, fieldsOf, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { shortenAddress } from '#web/ui/text/format.ts'
import { codeOf, type Provider } from './ask-wallet.ts'
import type { Wallet } from './wallets.ts'

/** What to say about a refusal, by the code of the provider's error. */
const REFUSALS: Readonly<Record<string, typeof SIGNING.failed>> = SIGNING.refusals

/** Why nothing was proven, in words for the participant. */
class ProofError extends Error {}

/**
 * Asks a wallet to sign the server's message about an address, and sends the signature. Asks the wallet for
 * its accounts and one signature, never for a transaction.
 * @param typed the address to prove; empty: the wallet's own.
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

/** Asks the wallet for the account to sign with: the wanted one or, if `wanted` is empty, its first. */
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

/** Encodes the text's bytes, so that no wallet takes a text that begins with 0x for bytes. */
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
