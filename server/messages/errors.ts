import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { Catalog } from '../platform/http/errors.ts'
import { textsIn } from './catalogue.ts'

const catalogs = new Map<Locale, ReturnType<typeof createCatalog>>()

export function catalogIn(locale: Locale): ReturnType<typeof createCatalog> {
  const catalog = catalogs.get(locale) ?? createCatalog(locale)
  catalogs.set(locale, catalog)
  return catalog
}

function createCatalog(locale: Locale) {
  const texts = textsIn(locale)
  return {
    messages: { ...texts.ERRORS, ...texts.DASHBOARD_ERRORS },
    fields: { ...texts.FIELD_ERRORS, ...texts.DASHBOARD_FIELD_ERRORS } as Record<string, string>,
    answers: { ...texts.ANSWERS, ...texts.DASHBOARD_ANSWERS },
  } satisfies Catalog
}

/** In English. Commands, too, word their refusals with it. */
export const errorMessages = catalogIn(DEFAULT_LOCALE)
