import * as z from 'zod/mini'

export const Uuid = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'id_format'))

/** As `id` in the campaign file. */
export const CampaignId = z.string().check(z.regex(/^[a-z0-9-]{3,40}$/, 'id_format'))

/** The query of calls about a campaign; the current one by default. */
export const OfCampaign = z.strictObject({ campaign: z.optional(CampaignId) })

export const MIN_SEARCH_LENGTH = 2
/** The length of the longest email address. */
export const MAX_SEARCH_LENGTH = 320

export const SearchText = z
  .string()
  .check(
    z.trim(),
    z.minLength(MIN_SEARCH_LENGTH, 'search_short'),
    z.maxLength(MAX_SEARCH_LENGTH, 'text_long'),
    z.regex(/^\P{Cc}*$/u, 'text_format'),
  )

export const MAX_PAGE = 1_000_000

/** A bounded integer in a query string, with a default. */
export function wholeNumber(minimum: number, maximum: number, fallback: number) {
  return z.prefault(
    z.pipe(
      z.string().check(z.regex(/^[0-9]{1,9}$/, 'number_format')),
      z.pipe(
        z.transform((text: string) => Number(text)),
        z.number().check(z.minimum(minimum, 'number_range'), z.maximum(maximum, 'number_range')),
      ),
    ),
    String(fallback),
  )
}
