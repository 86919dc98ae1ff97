import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { CHUNKS } from './tools/chunks.ts'
import { subsetFonts } from './tools/subset-fonts.ts'

/** Marketing pages and application in one client build; they share the React chunk and the style sheet. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'web/site/static',
  cacheDir: '.cache/vite',
  plugins: [campaignFree(), subsetFonts(), react(), tailwindcss(), reloadOnPageEdit()],
  worker: { format: 'es' },
  build: {
    manifest: true,
    sourcemap: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { site: 'web/site/client.ts', app: 'web/app/main.tsx' },
      // A slow machine is no news to whoever starts the product.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: CHUNKS,
      },
    },
  },
})

/** What the build makes fits every campaign: web code receives the campaign as data and never imports it. */
function campaignFree(): Plugin {
  return {
    name: 'campaign-free',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === '#campaign' || source.endsWith('campaign.config.ts'))
        throw new Error(`${importer} imports the campaign; pass it as data instead`)
    },
  }
}

/** Marketing pages live only on the server's side of Vite, which by itself reloads no browser. */
function reloadOnPageEdit(): Plugin {
  return {
    name: 'reload-on-page-edit',
    hotUpdate({ modules, server }) {
      if (this.environment.name === 'ssr' && modules.length > 0)
        server.environments.client.hot.send({ type: 'full-reload' })
    },
  }
}
