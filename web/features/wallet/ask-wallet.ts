import type { CampaignFile } from '#contract/campaign-file.ts'

export type Chain = CampaignFile['chain']
export type Token = Pick<CampaignFile['token'], 'contract' | 'symbol' | 'decimals'>

// Codes of provider errors (EIP-1193, EIP-3326).
const REJECTED = 4001 // By the user.
/** The wallet is locked, or needs account access first. */
const LOCKED = 4100
const UNKNOWN_CHAIN = 4902

/**
 * Asks the wallet to add the chain and switch to it, then to list the token, if given: on another chain, the
 * same address may be another token.
 * @throws the wallet's error, or one of ours if the wallet neither complied nor reported an error.
 */
export async function addToWallet(provider: Provider, chain: Chain, token?: Token): Promise<void> {
  try {
    await switchChain(provider, chain)
  } catch (error) {
    if (codeOf(error) !== LOCKED) throw error
    await provider.request({ method: 'eth_requestAccounts' })
    await switchChain(provider, chain)
  }
  if (token) await listToken(provider, token)
}

/** Switches to the chain (EIP-3326). If the wallet does not know it, asks to add it first (EIP-3085). */
async function switchChain(provider: Provider, chain: Chain) {
  const { name: chainName, currency: nativeCurrency, rpcUrl, explorerUrl } = chain
  const chainId = `0x${chain.id.toString(16)}`
  const requestSwitch = () =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  try {
    await requestSwitch()
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN) throw error
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [{ chainId, chainName, nativeCurrency, rpcUrls: [rpcUrl], blockExplorerUrls: [explorerUrl] }],
    })
    // Some wallets add a chain without switching to it. For others, this does nothing.
    await requestSwitch()
  }
  const actualId = Number(await provider.request({ method: 'eth_chainId' }))
  if (actualId !== chain.id) throw new Error(`The wallet is on chain ${actualId} instead of ${chain.id}`)
}

/** Asks to list the token (EIP-747). The parameters are an object, not an array. `false` is a refusal. */
async function listToken(provider: Provider, { contract: address, symbol, decimals }: Token) {
  const image = `${location.origin}/icon-512.png`
  const params = { type: 'ERC20', options: { address, symbol, decimals, image } }
  const isListed = await provider.request({ method: 'wallet_watchAsset', params })
  if (!isListed) throw Object.assign(new Error('The token was not listed'), { code: REJECTED })
}

/** A wallet's provider (EIP-1193). */
export type Provider = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** The code of a provider's error, which some wallets wrap in another; undefined for other errors. */
export function codeOf(error: unknown): number | undefined {
  const { code, data } = (error ?? {}) as { code?: number; data?: { originalError?: { code?: number } } }
  return data?.originalError?.code ?? code
}
