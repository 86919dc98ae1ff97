import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { Catalog } from '../platform/http/errors.ts'
import { textsIn } from './catalogue.ts'

const catalogs = new Map<Locale, Catalog>()

/** Messages of refusals and of field reasons in a language. */
export function errorsIn(locale: Locale): Catalog {
  const catalog = catalogs.get(locale) ?? createCatalog(locale)
  catalogs.set(locale, catalog)
  return catalog
}

function createCatalog(locale: Locale): Catalog {
  const { ERRORS, FIELD_ERRORS, DASHBOARD_ERRORS, DASHBOARD_FIELD_ERRORS } = textsIn(locale)
  return {
    messages: { ...ERRORS, ...DASHBOARD_ERRORS },
    fields: { ...FIELD_ERRORS, ...DASHBOARD_FIELD_ERRORS },
  }
}

/** In English, as the commands say them. */
export const errorMessages = errorsIn(DEFAULT_LOCALE)
