import type { CampaignFile } from '#contract/campaign-file.ts'
import { ROUTES, routeText } from '#web/routes.ts'
import type { Route } from '#web/routes.ts'
import type { ShareCards } from '#web/site/site-context.ts'
import { type Drawing, digest } from './pictures.ts'
import type { ShareCard } from './share-card.ts'

/** Screens that are shared as well; an invitation shows the airdrop. */
const SHARED_SCREENS: readonly Route[] = [ROUTES.airdrop, ROUTES.leaderboard]
const OTHERS: Readonly<Record<string, string>> = { [ROUTES.register.path]: ROUTES.airdrop.path }

/** The pictures of all routes, and which one a route shows. */
export function shareCards(
  campaign: CampaignFile,
  publicUrl: string,
): { drawings: Drawing[]; cards: ShareCards } {
  const own = Object.values(ROUTES).filter(
    (route) => route.kind === 'page' || SHARED_SCREENS.some((shared) => shared === route),
  )
  const made = own.map((route) => ({ route, card: cardOf(route, campaign, publicUrl) }))
  const drawings = made.map(({ route, card }) => ({ url: addressOf(route, card), card }))
  const byPath = new Map(
    made.map(({ route, card }) => [
      route.path as string,
      { url: addressOf(route, card), alt: `${card.headline}. ${card.text}` },
    ]),
  )
  const fallback = byPath.get(ROUTES.home.path)
  const cards = Object.fromEntries(
    Object.values(ROUTES).flatMap(({ path }) => {
      const card = byPath.get(path) ?? byPath.get(OTHERS[path] ?? '') ?? fallback
      return card ? [[path, card]] : []
    }),
  )
  return { drawings, cards }
}

function cardOf(route: Route, { token, chain, texts }: CampaignFile, publicUrl: string): ShareCard {
  const isHome = route.path === ROUTES.home.path
  return {
    headline: isHome ? token.name : route.name,
    text: isHome ? texts.tagline : routeText(route.description, token),
    brand: isHome ? `${chain.name} ${chain.id}` : `${token.name} · ${chain.name} ${chain.id}`,
    foot: new URL(publicUrl).host,
    symbol: token.symbol,
  }
}

/** Another picture has another address, so that nobody shows an old one. */
function addressOf(route: Route, card: ShareCard): string {
  return `/pictures/${route.path.slice(1) || 'home'}-${digest(card)}.png`
}
