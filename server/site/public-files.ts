import type { FastifyInstance } from 'fastify'
import { type CampaignFile, linkFor } from '#contract/campaign-file.ts'
import { LOCALES, localizedPath } from '#contract/locales.ts'
import { paletteOf } from '#contract/look.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { type Route, ROUTES } from '#web/routes.ts'
import { createAnswer } from '../platform/http/public-answers/answer.ts'
import type { PublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { CROSS_ORIGIN } from '../platform/http/security/security-headers.ts'
import type { CampaignSource } from '../domain/campaign/live-campaign.ts'
import { campaignSource } from './live/live-pages.ts'
import { DOCS_SITEMAP_PATH } from './docs-pages.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

export async function servePublicFiles(
  app: FastifyInstance,
  live: CampaignSource,
  publicUrl: string,
  publicAnswers: PublicAnswers,
) {
  const headers = { ...CROSS_ORIGIN, 'cache-control': 'no-cache' }
  const serve = async (url: string, type: string, write: (campaign: CampaignFile) => string) => {
    const source = campaignSource(live, (campaign) =>
      createAnswer(write(campaign), { type, headers, compression: 'best' }),
    )
    // Written and compressed now, not at the first request.
    await source.read()
    app.get(url, (request, reply) => publicAnswers.send(request, reply, source))
  }
  await serve('/robots.txt', 'text/plain; charset=utf-8', () => robots(publicUrl))
  await serve('/sitemap.xml', 'application/xml', () => sitemap(publicUrl, SITE_MAP))
  await serve('/site.webmanifest', 'application/manifest+json', webManifest)
  await serve('/tokenlist.json', JSON_TYPE, (campaign) => tokenList(campaign, publicUrl))
  await serve('/.well-known/dropwright.json', JSON_TYPE, (campaign) => identity(campaign, publicUrl))
}

/** Does not exclude screens, because a crawler has to fetch a screen to read its `noindex`. */
function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\nSitemap: ${publicUrl}${DOCS_SITEMAP_PATH}\n`
}

function sitemap(publicUrl: string, routes: readonly Route[]): string {
  const urls = routes
    .filter((route) => route.isIndexed)
    .flatMap(({ id }) => {
      const addresses = LOCALES.map((locale) => [locale, publicUrl + localizedPath(locale, id)] as const)
      const alternates = [...addresses, ['x-default', publicUrl + id] as const].map(
        ([language, url]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${url}"/>`,
      )
      return addresses.map(([, url]) => `<url><loc>${url}</loc>${alternates.join('')}</url>`)
    })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('')}</urlset>
`
}

/** About as much as fits below an icon on a home screen. */
const MAX_SHORT_NAME_LENGTH = 14

export function webManifest({ token, look }: CampaignFile): string {
  const { paper } = paletteOf(look, 'light')
  const png = (url: string, size: number, purpose: string) => ({
    src: url,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return JSON.stringify({
    id: '/',
    name: token.name,
    short_name: token.name.length <= MAX_SHORT_NAME_LENGTH ? token.name : token.symbol,
    description: token.description,
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: paper,
    theme_color: paper,
    icons: [
      // This icon shows Pip, so a campaign with a logo does not have it.
      ...(look?.logo ? [] : [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }]),
      png('/icon-192.png', 192, 'any'),
      png('/icon-512.png', 512, 'any'),
      png('/icon-maskable-512.png', 512, 'maskable'),
    ],
    shortcuts: [ROUTES.airdrop, ROUTES.leaderboard].map(({ name, path }) => ({ name, url: path })),
  })
}

/** Not `placeholder`, because the ids of tags have at most ten characters. */
const PLACEHOLDER_TAG = 'madeup'

/**
 * The token list that wallets and exchanges read (https://tokenlists.org). When the real contract replaces
 * the placeholder, the major version changes, because the standard requires a new one when a token is removed.
 */
export function tokenList({ token, chain, smallPrint }: CampaignFile, publicUrl: string): string {
  const logoURI = `${publicUrl}/icon-512.png`
  return JSON.stringify({
    name: listNameOf(token),
    timestamp: `${smallPrint.updatedOn}T00:00:00.000Z`,
    version: { major: token.placeholder ? 0 : 1, minor: 1, patch: 0 },
    logoURI,
    tags: token.placeholder
      ? { [PLACEHOLDER_TAG]: { name: 'Placeholder', description: PLACEHOLDER_WARNING } }
      : {},
    tokens: [
      {
        chainId: chain.id,
        address: token.contract,
        // The standard allows names of up to 60 characters.
        name: token.name.slice(0, 60),
        symbol: token.symbol,
        decimals: token.decimals,
        logoURI,
        ...(token.placeholder ? { tags: [PLACEHOLDER_TAG], extensions: { placeholder: true } } : {}),
      },
    ],
  })
}

const PLACEHOLDER_WARNING =
  'This address is a placeholder. There is no token at it, so do not send anything there.'

/** Names of lists consist of at most 30 Latin letters, digits, underscores and spaces. */
function listNameOf({ name, symbol }: CampaignFile['token']): string {
  const plain = (text: string) =>
    text
      .replaceAll(/[^\w ]/g, '')
      .trim()
      .slice(0, 30)
  return plain(name) || plain(symbol) || 'Token'
}

/** The official links and contract, for comparison. A copy of this site cannot serve them at `publicUrl`. */
export function identity({ token, chain, links, smallPrint }: CampaignFile, publicUrl: string): string {
  const { name, symbol, contract, placeholder, socials } = token
  const file = {
    name,
    symbol,
    site: publicUrl,
    contract: {
      address: contract,
      chainId: chain.id,
      chain: chain.name,
      placeholder,
      ...(placeholder && {
        note: 'This is a placeholder. There is no token at this address; do not send anything to it.',
      }),
    },
    links: {
      ...socials,
      swap: linkFor(links.swap, contract),
      chart: linkFor(links.chart, contract),
      explorer: chain.explorerUrl,
      tokenList: `${publicUrl}/tokenlist.json`,
      rules: publicUrl + ROUTES.rules.path,
      privacy: publicUrl + ROUTES.privacy.path,
    },
    contact: smallPrint.contact,
    never: 'We never ask for a payment, a private key or recovery words, and we never message you first.',
    updatedOn: smallPrint.updatedOn,
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
