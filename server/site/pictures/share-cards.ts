import { descriptionOf } from '#web/content/site/page-descriptions.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { ROUTES, routeText, type Route } from '#web/routes.ts'
import type { ShareCards } from '#web/site/site-context.ts'
import { type Drawing, digest } from './pictures.ts'
import type { ShareCard } from './share-card.ts'

/** Screens with a picture of their own, and routes that show another route's. */
const SHARED_SCREENS: readonly Route[] = [ROUTES.airdrop, ROUTES.leaderboard]
const BORROWED: Readonly<Record<string, string>> = { [ROUTES.register.path]: ROUTES.airdrop.path }

/** The share pictures to draw, and the picture of each route. */
export function shareCards(
  campaign: CampaignFile,
  publicUrl: string,
): { drawings: Drawing[]; cards: ShareCards } {
  const pictured = SITE_MAP.filter(
    (route) => route.kind === 'page' || SHARED_SCREENS.some((shared) => shared === route),
  )
  const withCards = pictured.map((route) => ({ route, card: cardOf(route, campaign, publicUrl) }))
  const drawings = withCards.map(({ route, card }) => ({ url: urlOf(route, card), card }))
  const byPath = new Map(
    withCards.map(({ route, card }) => [
      route.path as string,
      { url: urlOf(route, card), alt: `${card.headline}. ${card.text}` },
    ]),
  )
  const fallback = byPath.get(ROUTES.home.path)
  const cards = Object.fromEntries(
    SITE_MAP.flatMap(({ path }) => {
      const card = byPath.get(path) ?? byPath.get(BORROWED[path] ?? '') ?? fallback
      return card ? [[path, card]] : []
    }),
  )
  return { drawings, cards }
}

function cardOf(route: Route, { token, chain, texts, look }: CampaignFile, publicUrl: string): ShareCard {
  const isHome = route.path === ROUTES.home.path
  return {
    headline: isHome ? token.name : route.name,
    text: isHome ? texts.tagline : routeText(descriptionOf(route), token),
    brand: isHome ? `${chain.name} ${chain.id}` : `${token.name} · ${chain.name} ${chain.id}`,
    foot: new URL(publicUrl).host,
    symbol: token.symbol,
    look,
  }
}

/** Contains a content hash, so that no cache shows an old picture. */
function urlOf(route: Route, card: ShareCard): string {
  return `/pictures/${route.path.slice(1).replaceAll('/', '-') || 'home'}-${digest(card)}.png`
}
