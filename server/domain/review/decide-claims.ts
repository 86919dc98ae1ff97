import type { BodyOf } from '#contract/protocol/endpoint.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import type { decideClaims as endpoint, Outcome } from '#contract/dashboard/review.ts'
import type { Deps } from '#server/deps.ts'
import { catalogIn } from '#server/messages/errors.ts'
import { isUnavailable } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { Refusal, refuseField } from '#server/platform/refusal.ts'
import { approve } from '../claims/decisions/approve.ts'
import { reject } from '../claims/decisions/reject.ts'

type BulkDecision = { decision: BodyOf<typeof endpoint>; reviewer: Caller; network: string; locale?: Locale }

/** Each claim has its own transaction, so a decision that is refused or fails does not stop the others. */
export async function decideClaims(deps: Deps, bulk: BulkDecision): Promise<Outcome[]> {
  refuseIfInconsistent(bulk.decision)
  const revisions = Object.fromEntries(
    Object.entries(bulk.decision.revisions ?? {}).map(([id, revision]) => [id.toLowerCase(), revision]),
  )
  const outcomes: Outcome[] = []
  for (const claimId of new Set(bulk.decision.claimIds.map((id) => id.toLowerCase()))) {
    const outcome = await decideOne(deps, bulk, { claimId, revision: revisions[claimId] })
    outcomes.push({ claimId, ...outcome })
  }
  return outcomes
}

function refuseIfInconsistent({ decision, reason, text }: BulkDecision['decision']): void {
  if (decision === 'approve' && reason !== undefined) throw refuseField('reason', 'unknown_field')
  if (decision === 'approve' && text !== '') throw refuseField('text', 'unknown_field')
  if (decision === 'reject' && reason === undefined) throw refuseField('reason', 'required')
  if (reason === 'other' && text === '') throw refuseField('text', 'required')
}

type Target = { claimId: string; revision: string | undefined }
type OneOutcome = Omit<Outcome, 'claimId'>

async function decideOne(
  deps: Deps,
  { decision, reviewer, network, locale }: BulkDecision,
  target: Target,
): Promise<OneOutcome> {
  const action = { ...target, reviewer, network, bulk: { clusterId: decision.clusterId } }
  const { reason, text } = decision
  try {
    // `refuseIfInconsistent` has ensured that only an approval has no reason.
    if (reason === undefined)
      await approve(deps, { ...action, amounts: grantedPoints(deps.campaign.airdrop) })
    else await reject(deps, { ...action, reason, text })
    return { outcome: 'done', message: null, by: null }
  } catch (error) {
    return asOutcome(deps, error, locale)
  }
}

function asOutcome({ log }: Deps, error: unknown, locale: Locale = DEFAULT_LOCALE): OneOutcome {
  const { messages } = catalogIn(locale)
  if (error instanceof Refusal)
    return { outcome: error.code, message: messages[error.code], by: error.details.by ?? null }
  const code: ErrorCode = isUnavailable(error) ? 'unavailable' : 'internal'
  log.error({ err: error }, 'a decision of a bulk call failed')
  return { outcome: code, message: messages[code], by: null }
}
