import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** How many matches of each kind a search considers. Limits the cost of searching for a short text. */
export const MAX_MATCHES = 500

/** Searches ignore case and a leading @. */
export const prefixOf = (text: string): string => text.toLowerCase().replace(/^@/, '')

/** A pattern for `like`, whose wildcards in the prefix are escaped. */
export const patternOf = (prefix: string): string => `${prefix.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Query for claims whose wallet or handle matches a pattern. Selects the kind of match and `column`. Uses the
 * indexes `claims_by_wallet_prefix`, `claims_by_telegram_prefix` and `claims_by_twitter_prefix`.
 */
export const matchingClaims = (
  column: 'id' | 'user_id',
  campaignId: string,
  pattern: string,
): RawBuilder<unknown> => {
  const kinds = (['wallet', 'telegram', 'twitter'] as const).map(
    (kind) => sql`(select ${sql.lit(kind)}, ${sql.ref(column)} from claims
      where campaign_id = ${campaignId} and lower(${sql.ref(kind)}) like ${pattern} limit ${MAX_MATCHES})`,
  )
  return sql.join(kinds, sql` union all `)
}

/** `maxPerKind`: the number of matches of the most frequent kind. */
export type Matches = { ids: string[] | null; maxPerKind: number | null }

/** `isCut`: there may be more matches than were considered. */
export async function readMatches(
  db: Database,
  query: RawBuilder<Matches>,
): Promise<{ ids: string[]; isCut: boolean }> {
  const [result] = (await query.execute(db)).rows
  return { ids: result?.ids ?? [], isCut: (result?.maxPerKind ?? 0) >= MAX_MATCHES }
}
