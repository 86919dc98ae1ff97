import type { CampaignFile } from '#contract/campaign-file.ts'
import type { GrantedPoints } from '#contract/claims/granted-points.ts'

type Symbols = Pick<CampaignFile, 'token' | 'chain'>

/** In a sentence, “5,000 ABC points and 1 XYZ point”; a kind without points is left out. */
export const pointsInWords = (granted: GrantedPoints, symbols: Symbols): string =>
  kindsOf(granted, symbols)
    .map(({ points, symbol }) => `${points.toLocaleString('en')} ${symbol} ${pointOrPoints(points)}`)
    .join(' and ')

/** In a list, “5,000 ABC + 1 XYZ points”; a kind without points is left out. */
export function pointsInBrief(granted: GrantedPoints, symbols: Symbols): string {
  const kinds = kindsOf(granted, symbols)
  const sums = kinds.map(({ points, symbol }) => `${points.toLocaleString('en')} ${symbol}`)
  return `${sums.join(' + ')} ${pointOrPoints(granted.pfPoints + granted.plsPoints)}`
}

const kindsOf = ({ pfPoints, plsPoints }: GrantedPoints, { token, chain }: Symbols) =>
  [
    { points: pfPoints, symbol: token.symbol },
    { points: plsPoints, symbol: chain.currency.symbol },
  ].filter(({ points }) => points > 0)

const pointOrPoints = (count: number) => (count === 1 ? 'point' : 'points')
