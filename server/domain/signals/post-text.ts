import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { minHashBands, comparableWords, jaccardSimilarity, MIN_SIMILARITY } from './text-similarity.ts'
import { MAX_ACCOUNTS_READ } from './weights.ts'

/** Stores the words of a claim's post, or deletes them if the text is too short to compare. */
export async function savePostText(tx: Tx, claimId: string, text: string): Promise<void> {
  const words = comparableWords(text)
  await tx.deleteFrom('post_texts').where('claim_id', '=', claimId).execute()
  if (!words) return
  await sql`
    insert into post_texts (claim_id, campaign_id, words, bands)
    select id, campaign_id, ${words}, ${minHashBands(words)}::integer[] from claims
    where id = ${claimId}`.execute(tx)
}

/** Few are enough: posts that share a band are mostly alike. */
const MAX_CANDIDATES = 200

/** Other participants with near-duplicates of this claim's post, at most {@link MAX_ACCOUNTS_READ}. */
export async function findSameText(tx: Tx, claimId: string): Promise<string[]> {
  const { rows } = await candidates(claimId).execute(tx)
  const alike = rows.filter(({ words, ownWords }) => jaccardSimilarity(words, ownWords) >= MIN_SIMILARITY)
  return [...new Set(alike.map((row) => row.user_id))].slice(0, MAX_ACCOUNTS_READ)
}

type Candidate = { user_id: string; words: string; ownWords: string }

/** The posts that share a band with this claim's post. Uses the index `post_texts_by_band`. */
const candidates = (claimId: string): RawBuilder<Candidate> => sql`
  select other_claim.user_id, other.words, own.words as "ownWords"
  from post_texts own
  join claims own_claim on own_claim.id = own.claim_id
  join post_texts other on other.campaign_id = own.campaign_id and other.bands && own.bands
    and other.claim_id <> own.claim_id
  join claims other_claim on other_claim.id = other.claim_id and other_claim.user_id <> own_claim.user_id
  where own.claim_id = ${claimId}
  limit ${MAX_CANDIDATES}`
