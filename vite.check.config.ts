import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { DEFAULT_LOCALE, type Locale } from './contract/locales.ts'
import { messagesIn } from './tools/messages/vite-plugin.ts'

/**
 * The script and the style sheet of `/check`. That page is sandboxed and has no origin, so it cannot load
 * modules of this site. Its script is therefore a classic one, with a separate build for each language.
 */
export const checkConfigFor = (locale: Locale) =>
  defineConfig({
    root: import.meta.dirname,
    publicDir: false,
    cacheDir: '.cache/vite-check',
    plugins: [messagesIn(locale), tailwindcss()],
    build: {
      target: 'es2022',
      manifest: `.vite/check-${locale}.json`,
      sourcemap: false,
      reportCompressedSize: false,
      // Otherwise, the script would contain the styles and insert them as a style element.
      cssCodeSplit: false,
      rolldownOptions: {
        input: { check: 'web/check/main.ts' },
        checks: { bundlerTimings: false },
        output: {
          format: 'iife',
          entryFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/check-[hash][extname]',
        },
      },
    },
  })

export default checkConfigFor(DEFAULT_LOCALE)
