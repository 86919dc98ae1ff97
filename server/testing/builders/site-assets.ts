import type { SiteAssets } from '#web/site/site-context.ts'

/** Made-up URLs of built assets, for tests that render pages without a build. */
export const siteAssets: SiteAssets = {
  icon: '/i.svg',
  siteStyles: [],
  partStyles: {
    docs: '/docs.css',
    allocation: '/assets/allocation-1.css',
    'small-print': '/assets/small-print-1.css',
  },
  appStyles: [],
  fonts: [],
  siteScript: '/s.js',
  appScript: '/a.js',
  appImports: [],
  checkScript: '/assets/check-1.js',
  checkStyle: '/assets/check-1.css',
}
