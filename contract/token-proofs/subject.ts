import type { CampaignFile, Markets } from '../campaign-file.ts'

/** What a campaign states about its token and a chain can prove. */
export type TokenSubject = {
  chainId: number
  token: string
  /** Nothing is asked about a placeholder address. */
  isPlaceholder: boolean
  /** Whole tokens, in digits. */
  supply: string
  decimals: number
  /** Symbol of the native coin. */
  coin: string
  /** Undefined if liquidity and tax cannot be checked. */
  markets: Markets | undefined
}

export function subjectOf({ token, chain }: Pick<CampaignFile, 'token' | 'chain'>): TokenSubject {
  return {
    chainId: chain.id,
    token: token.contract,
    isPlaceholder: token.placeholder,
    supply: token.supply.replaceAll(',', ''),
    decimals: token.decimals,
    coin: chain.currency.symbol,
    markets: marketsOf(chain),
  }
}

/** The campaign's markets, or the default of its chain; undefined if it has neither. */
export function marketsOf(chain: Pick<CampaignFile['chain'], 'id' | 'markets'>): Markets | undefined {
  return chain.markets ?? (chain.id === PULSECHAIN ? PULSEX : undefined)
}

const PULSECHAIN = 369

/** PulseX V1 and V2 with the tokens in which most pools are quoted. */
const PULSEX: Markets = {
  exchanges: [
    {
      name: 'PulseX V1',
      factory: '0x1715a3E4A142d8b698131108995174F37aEBA10D',
      router: '0x98bf93ebf5c380C0e6Ae8e192A7e2AE08edAcc02',
    },
    {
      name: 'PulseX V2',
      factory: '0x29eA7545DEf87022BAdc76323F373EA1e707C523',
      router: '0x165C3410fC91EF562C50559f7d2289fEbed552d9',
    },
  ],
  wrappedCoin: '0xA1077a294dDE1B09bB078844df40758a5D0f9a27',
  dollar: { symbol: 'DAI', address: '0xefD766cCb38EaF1dfd701853BFCe31359239F305', decimals: 18 },
  quotes: [
    { symbol: 'USDC', address: '0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07' },
    { symbol: 'USDT', address: '0x0Cb6F5a34ad42ec934882A05265A7d5F59b51A2f' },
  ],
  burnAddresses: [
    '0x0000000000000000000000000000000000000000',
    '0x000000000000000000000000000000000000dEaD',
    '0x0000000000000000000000000000000000000369',
  ],
}
