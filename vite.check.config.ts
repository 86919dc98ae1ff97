import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { DEFAULT_LOCALE, type Locale } from './contract/locales.ts'
import { messagesIn } from './tools/messages/vite-plugin.ts'

/**
 * The script and the style sheet of `/check`. A page without an origin cannot load modules of this site, so
 * the script is a classic one, in a build of its own for each language.
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
      // One file for the styles: an immediately invoked script would insert them as a style element.
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
