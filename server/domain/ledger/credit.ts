import type { Insertable } from 'kysely'
import { type Attribution, record } from '../journal/record.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Ledger } from '#server/platform/database/database.types.ts'
import { newId } from '#server/platform/database/ids.ts'
import { ensureStandings } from './board.ts'

export type Credit = {
  campaignId: string
  userId: string
  /** An approval's points in the token (`pf`) or the coin (`pls`), or the reward for an invitation. */
  kind: 'pf' | 'pls' | 'referral'
  amount: number
  /** The claim whose approval earns the credit. */
  claimId: string
}

/**
 * Writes nonzero credits to the ledger and the journal. Triggers update the balances (standings) in
 * the same transaction. A unique index allows each claim one unreversed credit of each kind for each user.
 */
export async function credit(tx: Tx, credits: readonly Credit[], by: Attribution): Promise<void> {
  const nonzero = credits.filter(({ amount }) => amount !== 0)
  if (nonzero.length === 0) return
  // A leaderboard that is still being filled may lack some of the standings.
  for (const [campaignId, group] of Map.groupBy(nonzero, (entry) => entry.campaignId)) {
    const userIds = group.map(({ userId }) => userId)
    await ensureStandings(tx, campaignId, userIds)
  }
  const rows = nonzero.map(({ campaignId, userId, kind, amount, claimId }) => ({
    id: newId(),
    campaign_id: campaignId,
    user_id: userId,
    kind,
    amount,
    claim_id: claimId,
  }))
  await appendRows(tx, rows, by)
}

/**
 * Reverses every unreversed credit of a claim, or only those of one kind.
 * @returns the number of reversed credits.
 */
export async function reverse(
  tx: Tx,
  claimId: string,
  by: Attribution,
  onlyKind?: Credit['kind'],
): Promise<number> {
  const unreversed = await tx
    .selectFrom('ledger as l')
    .selectAll('l')
    .where('l.claim_id', '=', claimId)
    .where('l.reverses', 'is', null)
    .$if(onlyKind !== undefined, (query) => query.where('l.kind', '=', onlyKind ?? ''))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('ledger as r').select('r.id').whereRef('r.reverses', '=', 'l.id'))),
    )
    .orderBy('l.id')
    .execute()
  if (unreversed.length === 0) return 0
  const rows = unreversed.map(({ id: reverses, campaign_id, user_id, kind, amount, claim_id }) => ({
    id: newId(),
    campaign_id,
    user_id,
    kind,
    amount: -amount,
    claim_id,
    reverses,
  }))
  await appendRows(tx, rows, by)
  return rows.length
}

type Row = Omit<Insertable<Ledger>, 'id'> & { id: string; reverses?: string }

async function appendRows(tx: Tx, rows: readonly Row[], by: Attribution): Promise<void> {
  await tx.insertInto('ledger').values(rows).execute()
  const entries = rows.map(({ id: ledger, user_id: subject, claim_id: claim, kind, amount, reverses }) => {
    const action = reverses === undefined ? ('points.credited' as const) : ('points.reversed' as const)
    const after = { ledger, ...(reverses === undefined ? {} : { reverses }), claim, kind, amount }
    return { ...by, action, subject, after }
  })
  await record(tx, ...entries)
}
