import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { CHUNKS } from './tools/chunks.ts'
import { PAGE_PARTS, styleOf } from './web/site/site-context.ts'
import { browserContract } from './tools/browser-contract.ts'
import { subsetFonts } from './tools/subset-fonts.ts'

/** One client build for marketing pages and application, which share React and the style sheet. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'web/site/static',
  cacheDir: '.cache/vite',
  plugins: [campaignFree(), browserContract(), subsetFonts(), react(), tailwindcss(), reloadOnPageEdit()],
  worker: { format: 'es' },
  build: {
    manifest: true,
    sourcemap: false,
    reportCompressedSize: false,
    // Swagger UI, which only the page of the API loads, is one module of 1.5 MB.
    chunkSizeWarningLimit: 2_000,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        site: 'web/site/client.ts',
        app: 'web/app/main.tsx',
        ...Object.fromEntries(PAGE_PARTS.map((part) => [part, styleOf(part)])),
      },
      checks: { bundlerTimings: false },
      output: { codeSplitting: CHUNKS },
    },
  },
})

/** Keeps the campaign out of the build, which serves any campaign: web code receives it as data. */
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

/** Reloads the browser when a marketing page changes; Vite does not, as pages exist only in its SSR environment. */
function reloadOnPageEdit(): Plugin {
  return {
    name: 'reload-on-page-edit',
    hotUpdate({ modules, server }) {
      if (this.environment.name === 'ssr' && modules.length > 0)
        server.environments.client.hot.send({ type: 'full-reload' })
    },
  }
}
