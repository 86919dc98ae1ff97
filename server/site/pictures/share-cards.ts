import type { CampaignFile } from '#contract/campaign-file.ts'
import { type Locale, localizedPath } from '#contract/locales.ts'
import { type Texts, textsIn } from '#server/messages/catalogue.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { type Route, ROUTES, routeText, type RouteText } from '#web/routes.ts'
import type { ShareCards, SharePicture } from '#web/site/site-context.ts'
import { type Drawing, digest } from './pictures.ts'
import type { ShareCard } from './share-card.ts'

/** All pages have a picture. Of the screens, only these do. */
const SHARED_SCREENS: readonly Route[] = [ROUTES.airdrop, ROUTES.leaderboard]
/** Routes with the picture of another route. */
const BORROWED: Readonly<Record<string, string>> = { [ROUTES.register.id]: ROUTES.airdrop.id }

/** The share pictures to draw, and the picture of each route. `campaign` is in the language `locale`. */
export function shareCards(
  campaign: CampaignFile,
  locale: Locale,
  publicUrl: string,
): { drawings: Drawing[]; cards: ShareCards } {
  const texts = textsIn(locale)
  const pictured = SITE_MAP.filter(
    (route) => route.kind === 'page' || SHARED_SCREENS.some((shared) => shared === route),
  )
  const drawn = pictured.map(({ id }) => {
    const card = cardOf(id, { campaign, locale, publicUrl, texts })
    const alt = texts.CARD.alt({ headline: card.headline, text: card.text })
    return { id, card, picture: { url: urlOf(id, card), alt } }
  })
  const byId = new Map<string, SharePicture>(drawn.map(({ id, picture }) => [id, picture]))
  const fallback = byId.get(ROUTES.home.id)
  const cards = Object.fromEntries(
    SITE_MAP.flatMap(({ id }) => {
      const picture = byId.get(id) ?? byId.get(BORROWED[id] ?? '') ?? fallback
      return picture ? [[id, picture]] : []
    }),
  )
  return { drawings: drawn.map(({ card, picture }) => ({ url: picture.url, card })), cards }
}

type CardContext = { campaign: CampaignFile; locale: Locale; publicUrl: string; texts: Texts }

function cardOf(id: Route['id'], { campaign, locale, publicUrl, texts }: CardContext): ShareCard {
  const { token, chain, look } = campaign
  const isHome = id === ROUTES.home.id
  const chainLabel = `${chain.name} ${chain.id}`
  return {
    locale,
    headline: isHome ? token.name : nameOf(id, texts),
    text: isHome ? campaign.texts.tagline : routeText(descriptionOf(id, texts), token),
    brand: isHome ? [chainLabel] : [token.name, chainLabel],
    foot: new URL(publicUrl).host,
    symbol: token.symbol,
    look,
  }
}

function nameOf(id: Route['id'], { ROUTE_NAMES }: Texts): string {
  const names: Readonly<Record<string, string>> = ROUTE_NAMES
  const [key = ''] = Object.entries(ROUTES).find(([, route]) => route.id === id) ?? []
  return names[key] ?? ''
}

function descriptionOf(id: Route['id'], { PAGES, SCREENS }: Texts): RouteText {
  const descriptions: Readonly<Record<string, RouteText>> = { ...SCREENS, ...PAGES }
  return descriptions[id] ?? ''
}

/** Contains a content hash, so that no cache returns an old picture. A route’s id is a path. */
function urlOf(id: Route['id'], card: ShareCard): string {
  const name = `${id.slice(1).replaceAll('/', '-') || 'home'}-${digest(card)}.png`
  return localizedPath(card.locale, `/pictures/${name}`)
}
