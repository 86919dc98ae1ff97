import { sql } from 'kysely'
import type { Payout } from '#contract/dashboard/payouts.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { Terms } from './terms.ts'

/** A campaign's newest freeze, as long as it has not been thawed. */
export type LiveFreeze = {
  id: string
  number: number
  /** `0x` and 64 digits. */
  root: string
  recipients: number
  /** For each asset, the rows with an amount of it. */
  recipientsOf: { pf: number; pls: number }
  /** Rows of wallets with contract code. */
  contracts: number
  /** Paid participants beyond the first of each wallet: 1 if two share a wallet. */
  sharing: number
  leftOut: NonNullable<Payout['frozen']>['leftOut']
  /** Totals in base units. */
  pf: bigint
  pls: bigint
  terms: Terms
  /** Claims that waited for a decision at the freeze. */
  undecided: number
  frozenAt: Date
  /** Username; null for the operator on the command line. */
  frozenBy: string | null
}

type FreezeLookup = { db: Database | Tx; campaign: { id: string } }

/** @throws refusal `payout_not_frozen`. */
export async function requireFreeze({ db, campaign }: FreezeLookup): Promise<LiveFreeze> {
  const live = await readLiveFreeze(db, campaign.id)
  if (!live) throw refuse('payout_not_frozen')
  return live
}

/** For a run, before it records or delivers anything: if its heartbeat stops, the freeze can be thawed. */
export async function refuseIfThawed(db: Database | Tx, { id, terms }: LiveFreeze): Promise<void> {
  if ((await readLiveFreeze(db, terms.campaign.id))?.id !== id) throw refuse('payout_not_frozen')
}

/** @returns undefined before the first freeze, and from a thaw to the next freeze. */
export async function readLiveFreeze(db: Database | Tx, campaignId: string): Promise<LiveFreeze | undefined> {
  const row = await db
    .selectFrom('payout_freezes as f')
    .leftJoin('users as u', 'u.id', 'f.frozen_by')
    .leftJoin('payout_thaws as t', (join) =>
      join.onRef('t.campaign_id', '=', 'f.campaign_id').onRef('t.number', '=', 'f.number'),
    )
    .select(['f.id', 'f.number', 'f.recipients', 'f.undecided', 'f.contracts', 'f.sharing'])
    .select(['f.frozen_at as frozenAt', 'u.username as frozenBy', 't.thawed_at'])
    .select(sql<string>`'0x' || encode(f.root, 'hex')`.as('root'))
    .select([sql<string>`f.pf::text`.as('pf'), sql<string>`f.pls::text`.as('pls')])
    .select(['f.pf_recipients', 'f.pls_recipients'])
    .select(sql<Terms>`f.terms`.as('terms'))
    .select(sql<LiveFreeze['leftOut']>`f.left_out`.as('leftOut'))
    .where('f.campaign_id', '=', campaignId)
    .orderBy('f.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row || row.thawed_at !== null) return undefined
  const { thawed_at: _, pf_recipients, pls_recipients, pf, pls, ...live } = row
  const recipientsOf = { pf: pf_recipients, pls: pls_recipients }
  return { ...live, recipientsOf, pf: BigInt(pf), pls: BigInt(pls) }
}
