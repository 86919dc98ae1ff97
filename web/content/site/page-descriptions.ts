import type { Route } from '#web/routes.ts'

/** Descriptions of the pages for search engines and link previews, by path. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'Facts about {token}, a future-backed meme token: supply, contract, live price, and an airdrop with limited slots.',
  '/about':
    'What {token} is, what it promises and what it does not: stealth launch, zero taxes, burned liquidity, renounced contract.',
  '/tokenomics': 'Total supply of {symbol} and facts that anyone can check on the chain.',
  '/howtobuy':
    'Four steps from an empty wallet to {symbol}, with the contract address and the network details.',
  '/roadmap': 'The phases of {token}, each stamped with its status today.',
  '/rules': 'Who can take part, what counts as proof, how many points a claim earns, and how it is decided.',
  '/privacy': 'What this site stores about you, why and for how long, and the terms for using it.',
  '/journal':
    'The daily fingerprints of the record of every decision and credit, so anyone can check that nothing was changed later.',
  '/allocation':
    'Look up what any wallet gets from the {token} airdrop. Your browser verifies the proof itself.',
  '/archive':
    'The airdrops of {token} that have ended: results, leaderboards, and the fingerprints of what was paid.',
  '/check':
    'Your browser asks the chain whether the claims about {symbol} hold: owner, supply, burned liquidity, tax. No account, no wallet.',
  '/api/docs': 'Every call of the API with its fields, answers and rate limits, to read and to try.',
}

/** The description of a page or screen, with `{token}` and `{symbol}` still in it. */
export const descriptionOf = ({ path, description }: Route): string => PAGES[path] ?? description
