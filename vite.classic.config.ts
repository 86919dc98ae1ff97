import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type UserConfig } from 'vite'
import { DEFAULT_LOCALE, type Locale } from './contract/locales.ts'
import { subsetFonts } from './tools/fonts/subset-fonts.ts'
import { messagesIn } from './tools/messages/vite-plugin.ts'

/** Builds for pages that cannot load modules: a classic script and one style sheet each. */
const CLASSIC = {
  target: 'es2022',
  sourcemap: false,
  reportCompressedSize: false,
  // Otherwise, the script would contain the styles and insert them as a style element.
  cssCodeSplit: false,
} satisfies UserConfig['build']

/** `/check`, which is sandboxed and has no origin. Built once for each language. */
export const checkConfigFor = (locale: Locale) =>
  defineConfig({
    root: import.meta.dirname,
    publicDir: false,
    cacheDir: '.cache/vite-check',
    plugins: [messagesIn(locale), tailwindcss()],
    build: {
      ...CLASSIC,
      manifest: `.vite/check-${locale}.json`,
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

export default checkConfigFor(DEFAULT_LOCALE) // in development

/** The static site of an allocation. It works in any folder: paths in its page are relative (`base`). */
export const allocationConfig = defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  cacheDir: '.cache/vite-allocation',
  plugins: [messagesIn(DEFAULT_LOCALE), subsetFonts(), tailwindcss()],
  build: {
    ...CLASSIC,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { check: 'web/allocation-site/main.ts' },
      checks: { bundlerTimings: false },
      output: {
        format: 'iife',
        entryFileNames: 'check.js',
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css')) ? 'check.css' : 'fonts/[name][extname]',
      },
    },
  },
})
