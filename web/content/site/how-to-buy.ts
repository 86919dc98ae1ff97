import { BUYING_STEPS, HOW_TO_BUY } from '#messages/pages.js'
import type { CampaignFile } from '#contract/campaign-file.ts'

/** The chain's settings, for adding it to a wallet by hand. */
export function networkFacts(chain: CampaignFile['chain']): { label: string; value: string }[] {
  const words = HOW_TO_BUY.networkFacts
  return [
    { label: words.name, value: chain.name },
    { label: words.chainId, value: String(chain.id) },
    { label: words.currency, value: chain.currency.symbol },
    { label: words.rpcUrl, value: chain.rpcUrl },
    { label: words.explorer, value: chain.explorerUrl },
  ]
}

type BuyingStep = { title: string; text: string }

/** The four steps from an empty wallet to the token. */
export function buyingSteps({
  token,
  chain,
}: CampaignFile): [BuyingStep, BuyingStep, BuyingStep, BuyingStep] {
  const { wallet, network, coin, swap } = BUYING_STEPS
  const values = {
    token: token.name,
    symbol: token.symbol,
    chain: chain.name,
    id: chain.id,
    coin: chain.currency.symbol,
  }
  return [
    { title: wallet.title, text: wallet.text(values) },
    { title: network.title(values), text: network.text(values) },
    { title: coin.title(values), text: coin.text(values) },
    { title: swap.title(values), text: swap.text(values) },
  ]
}
