import type { CampaignFile } from '#contract/campaign-file.ts'
import { paletteOf } from '#contract/look.ts'
import { ROUTES } from '#web/routes.ts'

/** The manifest for installing the site on a home screen. */
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
    short_name: token.name.length <= 14 ? token.name : token.symbol,
    description: token.description,
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: paper,
    theme_color: paper,
    icons: [
      // Pip, whom a logo replaces.
      ...(look?.logo ? [] : [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }]),
      png('/icon-192.png', 192, 'any'),
      png('/icon-512.png', 512, 'any'),
      png('/icon-maskable-512.png', 512, 'maskable'),
    ],
    shortcuts: [ROUTES.airdrop, ROUTES.leaderboard].map(({ name, path }) => ({ name, url: path })),
  })
}
