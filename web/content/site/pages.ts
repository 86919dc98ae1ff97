import {
  AIRDROP_TICKET as AIRDROP_TICKET_MESSAGES,
  HOW_TO_BUY as HOW_TO_BUY_MESSAGES,
} from '#messages/pages.js'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { counted } from '../shared.ts'

export const AIRDROP_TICKET = {
  ...AIRDROP_TICKET_MESSAGES,
  title: (tasks: number) => `${counted(tasks, 'task', 'tasks')}, one ticket`,
}

export const HOW_TO_BUY = {
  ...HOW_TO_BUY_MESSAGES,
  networkFacts: (chain: CampaignFile['chain']) => [
    { label: 'Network name', value: chain.name },
    { label: 'Chain ID', value: String(chain.id) },
    { label: 'Currency symbol', value: chain.currency.symbol },
    { label: 'RPC URL', value: chain.rpcUrl },
    { label: 'Block explorer', value: chain.explorerUrl },
  ],
}

type Entry = { title: string; text: string }

/** The four steps from an empty wallet to the token. */
export function buyingSteps({ token, chain }: CampaignFile): [Entry, Entry, Entry, Entry] {
  const coin = chain.currency.symbol
  return [
    {
      title: 'Create a wallet',
      text: `Install a wallet for EVM chains, such as MetaMask or Rabby. Write its recovery phrase down on paper. No one from ${token.name} will ever ask for it.`,
    },
    {
      title: `Add ${chain.name}`,
      text: `Let your wallet add the network, or enter the details yourself: chain ID ${chain.id}, currency ${coin}.`,
    },
    {
      title: `Get ${coin}`,
      text: `Buy ${coin} on an exchange, or bridge it to ${chain.name}, and send it to your wallet. Keep a little for network fees.`,
    },
    {
      title: `Swap ${coin} for ${token.symbol}`,
      text: `Open the exchange, paste the contract address and compare it with the one here. Taxes are zero and no slippage is needed. Add ${token.symbol} to your wallet so that it shows up there.`,
    },
  ]
}
