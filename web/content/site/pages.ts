import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Stage } from '#contract/phase.ts'
import { counted } from '../shared.ts'

/** Texts of the marketing pages that do not depend on the campaign. */
export const HERO = {
  buy: 'Buy',
  learnMore: 'Learn More',
  liveChart: 'View Live Chart',
  supply: 'Total Supply',
  contract: 'Contract',
  symbol: 'Symbol',
  price: 'Price',
  priceSource: 'From the first market pair, every 2 minutes',
}

export const CONTRACT_NOTE = {
  stamp: 'Placeholder',
  short: 'Placeholder, not a real contract',
  long: 'The contract address is a placeholder. There is no token at this address: don’t buy it, and don’t send anything to it.',
}

export const ABOUT = {
  title: (token: string) => `What is ${token}?`,
  missionLabel: 'The mission',
  wishLabel: 'A wish, not a forecast',
  social: 'Where to find us',
}

export const AIRDROP_TICKET = {
  label: 'Airdrop',
  title: (tasks: number) => `${counted(tasks, 'task', 'tasks')}, one ticket`,
  slots: 'Slots',
  tasks: (tasks: number) => (tasks === 1 ? 'Task' : 'Tasks'),
  points: (symbol: string) => `${symbol} points`,
  link: {
    before: 'See the airdrop',
    open: 'Open the airdrop',
    full: 'See the airdrop',
    paused: 'See the airdrop',
    reviewing: 'See the leaderboard',
    paying: 'See the leaderboard',
    paid: 'See the leaderboard',
  } satisfies Record<Stage, string>,
  note: 'First come, first served. Every proof is verified by hand.',
}

export const TOKENOMICS = {
  title: 'Tokenomics',
  supply: 'Total supply',
}

export const ROADMAP = {
  title: 'Roadmap',
  badges: { completed: 'Completed', 'in-progress': 'In Progress', upcoming: 'Upcoming' },
}

export const HOW_TO_BUY = {
  title: 'How to Buy',
  contract: 'Contract address',
  buy: 'Buy on a DEX',
  chart: 'View Live Chart',
  qrCode: 'QR code of the contract address',
  qrNote:
    'Scan it to open the address on another device. It is for looking up the token, not for payments: never send anything to it.',
  network: 'Network details',
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

export const FOLIO = {
  /** Stands in place of the page number on pages outside the navigation, such as the rules. */
  back: 'Appendix',
  page: (number: number, total: number) => `Page ${number} of ${total}`,
  chain: (name: string, id: number) => `${name} ${id}`,
}

export const NOT_FOUND = {
  title: 'We couldn’t find this page',
  description: 'There is no page at this address.',
  text: 'Pip looked everywhere and fell asleep. Check the address for typos, or start again from Home.',
  home: 'Back to Home',
}
