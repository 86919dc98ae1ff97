import type { ReactNode } from 'react'
import type { Profile } from '#contract/accounts/accounts.ts'
import type { User } from '#contract/entities.ts'
import { PROFILE, TASK_STATUS } from '#messages/profile.js'
import { PROOF_TEXTS } from '#messages/proof.js'
import { formatInteger, shortAddress } from '#web/ui/format.ts'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'

/** The rows of the passport: the task status, rank, invitations and, if there is a claim, its proof. */
export function ProfileDetails({ user }: { user: Profile }) {
  const claim = user.taskId
  const status = taskStatus(user)
  return (
    <dl className="mt-6 divide-y divide-hairline border-y border-hairline">
      <Detail name={PROFILE.taskStatus}>
        <Stamp tone={status.tone} className="stamp-on-sheet">
          {status.text}
        </Stamp>
      </Detail>
      {user.rank !== null && <Detail name={PROFILE.rank}>{formatInteger(user.rank)}</Detail>}
      <Detail name={PROFILE.invited}>{formatInteger(user.referralCount)}</Detail>
      {claim && (
        <>
          <Detail name={PROOF_TEXTS.wallet.label}>
            <span dir="ltr" className="figures" title={claim.wallet}>
              {shortAddress(claim.wallet)}
            </span>
          </Detail>
          <Detail name={PROOF_TEXTS.telegram.label}>
            <bdi dir="ltr">{claim.telegram}</bdi>
          </Detail>
          <Detail name={PROOF_TEXTS.twitter.label}>
            <bdi dir="ltr">{claim.twitter}</bdi>
          </Detail>
        </>
      )}
    </dl>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2.5">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="min-w-0 font-semibold break-all">{children}</dd>
    </div>
  )
}

function taskStatus({ isTaskCompleted, taskId }: User): { text: string; tone: StampTone } {
  if (!isTaskCompleted) return { text: TASK_STATUS.notSubmitted, tone: 'ink' }
  if (taskId?.approved) return { text: TASK_STATUS.approved, tone: 'proof' }
  if (taskId?.underReview) return { text: TASK_STATUS.underReview, tone: 'accent' }
  return { text: TASK_STATUS.submitted, tone: 'ink' }
}
