import path from 'node:path'
import type { Plugin } from 'vite'
import type { Locale } from '#contract/locales.ts'

const GENERATED = path.resolve(import.meta.dirname, '../../generated/messages')
const PREFIX = '#messages/'

/** Resolves `#messages/…` to the texts of one language. Each build has only one. */
export function messagesIn(locale: Locale): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId: (source) =>
      source.startsWith(PREFIX) ? path.join(GENERATED, locale, source.slice(PREFIX.length)) : undefined,
  }
}
