import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { DEFAULT_LOCALE } from './contract/locales.ts'
import { messagesIn } from './tools/messages/vite-plugin.ts'
import { subsetFonts } from './tools/fonts/subset-fonts.ts'

/** The script, style sheet and fonts of an allocation's static site. It links to them by relative paths. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  cacheDir: '.cache/vite-allocation',
  plugins: [messagesIn(DEFAULT_LOCALE), subsetFonts(), tailwindcss()],
  build: {
    target: 'es2022',
    sourcemap: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
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
