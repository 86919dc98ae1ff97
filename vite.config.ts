import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

/** What every screen of the application needs and no marketing page does. */
const APPLICATION =
  /[\\/]zod[\\/]|contract[\\/](errors|entities|fields)\.|web[\\/](app[\\/][^\\/]+|features[\\/](api|campaign)[\\/].+|features[\\/]session[\\/]session|ui[\\/](email-text|pip|pulse))\.tsx?$/
/** What the screens with a form need besides. */
const FORMS =
  /contract[\\/](accounts|sessions)\.|web[\\/](app[\\/]account[\\/]account-page|features[\\/]forms[\\/].+|content[\\/]account|ui[\\/](field|password-field))\.tsx?$/

/** Marketing pages and application in one client build; they share the React chunk and the style sheet. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'web/site/static',
  cacheDir: '.cache/vite',
  plugins: [campaignFree(), react(), tailwindcss(), reloadOnPageEdit()],
  build: {
    manifest: true,
    sourcemap: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { site: 'web/site/client.ts', app: 'web/app/main.tsx' },
      output: {
        codeSplitting: {
          // Only what a group names: its imports may belong to the marketing pages too.
          includeDependenciesRecursively: false,
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            // Few large chunks compress better than many small ones; a screen takes these or leaves them.
            { name: 'application', test: APPLICATION, minShareCount: 3 },
            { name: 'forms', test: FORMS, minShareCount: 3 },
          ],
        },
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
