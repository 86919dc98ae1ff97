import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { mergeConfig, type Plugin, type UserConfig } from 'vite'
import { DEFAULT_LOCALE, type Locale } from './contract/locales.ts'
import { CHUNKS } from './tools/chunks.ts'
import { docs } from './tools/docs/plugin.ts'
import { messagesIn } from './tools/messages/vite-plugin.ts'
import { DOCS_ENTRY } from './web/docs-path.ts'
import { manifestOf, PAGE_PARTS, styleOf } from './web/site/site-context.ts'
import { browserContract } from './tools/browser-contract.ts'
import { subsetFonts } from './tools/fonts/subset-fonts.ts'

/** The settings that the client build and the renderer of the pages share. */
export const baseFor = (locale: Locale): UserConfig => ({
  root: import.meta.dirname,
  publicDir: 'web/site/static',
  cacheDir: `.cache/vite-${locale}`,
  plugins: [
    messagesIn(locale),
    // The documentation is in English only.
    ...(locale === DEFAULT_LOCALE ? [docs()] : []),
    campaignFree(),
    browserContract(),
    subsetFonts(),
    react(),
    tailwindcss(),
    reloadOnPageEdit(),
  ],
  worker: { format: 'es' },
  build: {
    sourcemap: false,
    reportCompressedSize: false,
    // Swagger UI is one module of 1.5 MB. Only the API page loads it.
    chunkSizeWarningLimit: 2_000,
    assetsInlineLimit: 0,
  },
})

/**
 * The client build of a language. Marketing pages and the application share one build, because they share
 * React and most styles. A file without texts has the same content and name in every language.
 */
export const configFor = (locale: Locale): UserConfig =>
  mergeConfig(baseFor(locale), {
    build: {
      manifest: manifestOf(locale),
      rolldownOptions: {
        input: {
          site: 'web/site/client.ts',
          app: 'web/app/main.tsx',
          ...(locale === DEFAULT_LOCALE && { documentation: DOCS_ENTRY }),
          ...Object.fromEntries(PAGE_PARTS.map((part) => [part, styleOf(part)])),
        },
        checks: { bundlerTimings: false },
        output: { codeSplitting: CHUNKS },
      },
    },
  } satisfies UserConfig)

export default configFor(DEFAULT_LOCALE)

/** Keeps the campaign out of the build. One build serves any campaign: web code receives it as data. */
function campaignFree(): Plugin {
  return {
    name: 'campaign-free',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source.endsWith('campaign.config.ts'))
        throw new Error(`${importer} imports the campaign; pass it as data instead`)
    },
  }
}

/** Reloads the browser when a marketing page changes. Vite would not: only its SSR environment has pages. */
function reloadOnPageEdit(): Plugin {
  return {
    name: 'reload-on-page-edit',
    hotUpdate({ modules, server }) {
      if (this.environment.name === 'ssr' && modules.length > 0)
        server.environments.client.hot.send({ type: 'full-reload' })
    },
  }
}
