import { POINTS } from '#messages/points.js'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { GrantedPoints } from '#contract/claims/granted-points.ts'
import { listInWords } from './lists.ts'

type Symbols = Pick<CampaignFile, 'token' | 'chain'>

/** For a sentence: “5,000 ABC points and 1 XYZ point”. A kind without points is left out. */
export function pointsInWords(granted: GrantedPoints, symbols: Symbols): string {
  return listInWords(kindsOf(granted, symbols).map((kind) => POINTS.sum(kind)))
}

/** For a list: “5,000 ABC + 1 XYZ points”. A kind without points is left out. */
export function pointsInBrief(granted: GrantedPoints, symbols: Symbols): string {
  const kinds = kindsOf(granted, symbols)
  if (kinds.length < 2) return kinds.map((kind) => POINTS.sum(kind)).join('')
  const { pfPoints: tokens, plsPoints: coins } = granted
  return POINTS.both({
    // Decides whether “points” is plural.
    total: tokens + coins,
    tokens,
    symbol: symbols.token.symbol,
    coins,
    coin: symbols.chain.currency.symbol,
  })
}

const kindsOf = ({ pfPoints, plsPoints }: GrantedPoints, { token, chain }: Symbols) =>
  [
    { points: pfPoints, symbol: token.symbol },
    { points: plsPoints, symbol: chain.currency.symbol },
  ].filter(({ points }) => points > 0)
