import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** How many matches of each kind a search considers: bounds what a short text costs. */
export const MAX_MATCHES = 500

/** The prefix that a search looks for: case and a leading @ are ignored. */
export const prefixOf = (text: string): string => text.toLowerCase().replace(/^@/, '')

/** Pattern for `like`, for texts that begin with a prefix. */
export const patternOf = (prefix: string): string => `${prefix.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Query for the kind of match and a column of the campaign's claims whose wallet or handle matches a pattern.
 * Uses the indexes `claims_by_wallet_prefix`, `claims_by_telegram_prefix` and `claims_by_twitter_prefix`.
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

/** `maxPerKind`: how many matches the kind with the most has. */
export type Matches = { ids: string[] | null; maxPerKind: number | null }

/** The ids that a query finds; `isCut`: there may be more matches than were considered. */
export async function readMatches(
  db: Database,
  query: RawBuilder<Matches>,
): Promise<{ ids: string[]; isCut: boolean }> {
  const [result] = (await query.execute(db)).rows
  return { ids: result?.ids ?? [], isCut: (result?.maxPerKind ?? 0) >= MAX_MATCHES }
}
