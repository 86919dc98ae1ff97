import { type JournalRecord, record } from '../journal/record.ts'
import type { Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { ensureStandings } from './board.ts'

export type Credit = {
  campaignId: string
  userId: string
  kind: 'pf' | 'pls' | 'referral'
  amount: number
  /** The claim whose approval pays. */
  claimId: string
}

/** Who decided what is credited, and from where. */
export type CreditedBy = Pick<JournalRecord, 'actor' | 'network'>

/**
 * Writes credits to the ledger and the journal, from which balances and board follow in the same transaction (by
 * trigger). A claim pays each kind to each person once: the database refuses a second credit.
 */
export async function credit(tx: Tx, credits: readonly Credit[], by: CreditedBy): Promise<void> {
  const paid = credits.filter(({ amount }) => amount !== 0)
  if (paid.length === 0) return
  // Somebody whom a board that is just being filled does not have yet may be paid all the same.
  for (const campaignId of new Set(paid.map((one) => one.campaignId)))
    await ensureStandings(
      tx,
      campaignId,
      paid.filter((one) => one.campaignId === campaignId).map(({ userId }) => userId),
    )
  const rows = paid.map(({ campaignId, userId, kind, amount, claimId }) => ({
    id: newId(),
    campaign_id: campaignId,
    user_id: userId,
    kind,
    amount,
    claim_id: claimId,
  }))
  await tx.insertInto('ledger').values(rows).execute()
  await record(
    tx,
    ...rows.map(({ id, user_id: subject, kind, amount, claim_id }) => ({
      ...by,
      action: 'points.credited',
      subject,
      after: { ledger: id, claim: claim_id, kind, amount },
    })),
  )
}

/**
 * Takes back everything that a claim's approval credited and that was not taken back yet, with a row for each
 * that names it. The claim can be credited again afterwards, once.
 * @returns how many credits were reversed.
 */
export async function reverse(tx: Tx, claimId: string, by: CreditedBy): Promise<number> {
  const open = await tx
    .selectFrom('ledger as l')
    .selectAll('l')
    .where('l.claim_id', '=', claimId)
    .where('l.reverses', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('ledger as r').select('r.id').whereRef('r.reverses', '=', 'l.id'))),
    )
    .orderBy('l.id')
    .execute()
  if (open.length === 0) return 0
  const rows = open.map(({ id: reverses, campaign_id, user_id, kind, amount, claim_id }) => ({
    id: newId(),
    campaign_id,
    user_id,
    kind,
    amount: -amount,
    claim_id,
    reverses,
  }))
  await tx.insertInto('ledger').values(rows).execute()
  await record(
    tx,
    ...rows.map(({ id, user_id: subject, kind, amount, claim_id, reverses }) => ({
      ...by,
      action: 'points.reversed',
      subject,
      after: { ledger: id, reverses, claim: claim_id, kind, amount },
    })),
  )
  return rows.length
}
