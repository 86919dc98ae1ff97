import { sql } from 'kysely'
import type { SignalKind } from '#contract/claims/signals.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import { announceClaim } from '#server/domain/events/announce.ts'
import { record } from '#server/domain/journal/record.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { recordEvent } from '../claim-events.ts'

type Hold = {
  claimId: string
  /** Shown to the participant: 1 to 20 sentences of plain text. */
  reasons: readonly string[]
  /** The signals behind the reasons, from which the email words the reasons in the reader's language. */
  signals?: readonly { kind: SignalKind; facts: unknown }[] | undefined
}

/** Holds a claim. A held one gets the new reasons without another email; a decided one is left alone. */
export async function holdClaim(tx: Tx, { claimId, reasons, signals }: Hold): Promise<void> {
  const before = await tx
    .selectFrom('claims')
    .select(['status', 'user_id', 'held_for'])
    .where('id', '=', claimId)
    .where('decided_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before || before.held_for?.join('\n') === reasons.join('\n')) return
  await tx
    .updateTable('claims')
    .set({ status: 'held', held_for: sql`${[...reasons]}::text[]`, risk: sql`greatest(risk, 1)` })
    .where('id', '=', claimId)
    .execute()
  await announceClaim(tx, claimId)
  if (before.status === 'held') return
  await recordEvent(tx, { claimId, what: 'held' })
  await mailUser(tx, before.user_id, 'claim-held', {
    reasons: reasons.join('\n'),
    ...(signals ? { signals: JSON.stringify(signals) } : {}),
  })
  await record(tx, {
    actor: null,
    action: 'claim.held',
    subject: claimId,
    before: { status: before.status },
    after: { status: 'held' },
  })
}

/** Sets a claim's risk. A held claim has at least 1, so that the reviewers' filter `flagged` finds it. */
export async function setRiskScore(tx: Tx, claimId: string, risk: number): Promise<void> {
  const newRisk = sql<number>`greatest(${risk}::integer, (held_for is not null)::integer)`
  const changed = await tx
    .updateTable('claims')
    .set({ risk: newRisk })
    .where('id', '=', claimId)
    .where('risk', '!=', newRisk)
    .returning('id')
    .executeTakeFirst()
  if (changed) await announceClaim(tx, claimId)
}
