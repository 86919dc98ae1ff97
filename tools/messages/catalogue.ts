import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { MAX_ATTEMPTS, MAX_EDITS } from '#contract/claims/claims.ts'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { PICTURE_LIMITS } from '#contract/dashboard/pictures.ts'
import { MAX_WEBHOOKS } from '#contract/dashboard/webhooks.ts'
import { intlTag, type Locale } from '#contract/locales.ts'
import { CODE_LENGTH, PASSWORD_LENGTH } from '#contract/protocol/fields.ts'

/** Messages in ICU MessageFormat, nested by name. */
export type Messages = { readonly [name: string]: string | Messages }

/** The messages of a language by namespace: the name of their file without `.json`. */
export type Catalogue = ReadonlyMap<string, Messages>

/**
 * Reads `messages/<locale>/*.json`, leaves out the notes for translators (`"@name"`) and fills in CONSTANTS.
 * @throws Error that names the file if it is not JSON, has anything but texts, or names an unknown constant.
 */
export function readCatalogue(root: string, locale: Locale): Catalogue {
  const folder = path.join(root, 'messages', locale)
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return new Map(
    files
      .toSorted()
      .map((file) => [path.basename(file, '.json'), readMessages(path.join(folder, file), locale)]),
  )
}

function readMessages(file: string, locale: Locale): Messages {
  try {
    return messagesIn(JSON.parse(readFileSync(file, 'utf8')), locale)
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error })
  }
}

function messagesIn(value: unknown, locale: Locale): Messages {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('Messages are objects of texts.')
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('@'))
  return Object.fromEntries(
    entries.map(([name, text]) => [
      name,
      typeof text === 'string' ? withConstants(text, locale) : messagesIn(text, locale),
    ]),
  )
}

const withConstants = (text: string, locale: Locale): string =>
  text.replaceAll(/\{([A-Z][A-Z_]+)\}/g, (_, name: string) => {
    const figure = CONSTANTS[name]
    if (figure === undefined) throw new Error(`tools/messages/catalogue.ts has no ${name}.`)
    return figure.toLocaleString(intlTag(locale))
  })

/** All messages of `fallback`, each translated if `messages` has a translation. */
export function withFallback(messages: Messages, fallback: Messages): Messages {
  return Object.fromEntries(
    Object.entries(fallback).map(([name, text]) => {
      const translation = messages[name]
      if (typeof text === 'string') return [name, typeof translation === 'string' ? translation : text]
      return [name, withFallback(typeof translation === 'object' ? translation : {}, text)]
    }),
  )
}

/** Yields each text with its full name, such as `GROUP.name`. */
export function* flatten(messages: Messages, prefix = ''): Generator<[name: string, text: string]> {
  for (const [name, text] of Object.entries(messages))
    if (typeof text === 'string') yield [prefix + name, text]
    else yield* flatten(text, `${prefix}${name}.`)
}

/** Figures of the contract that replace placeholders in capitals, such as `{MAX_ATTEMPTS}`. */
const CONSTANTS: Readonly<Record<string, number>> = {
  MAX_ATTEMPTS,
  MAX_EDITS,
  SLOT_HOURS,
  CODE_LENGTH,
  PASSWORD_MIN: PASSWORD_LENGTH.min,
  PASSWORD_ADMIN_MIN: PASSWORD_LENGTH.adminMin,
  PASSWORD_MAX: PASSWORD_LENGTH.max,
  SMALLEST_PICTURE: PICTURE_LIMITS.minLongerSide,
  MAX_WEBHOOKS,
}
