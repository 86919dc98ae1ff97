import type { ReactNode } from 'react'
import type { Profile } from '#contract/accounts/accounts.ts'
import type { User } from '#contract/entities.ts'
import { POINTS } from '#messages/points.js'
import { PROFILE, TASK_STATUS } from '#messages/profile.js'
import { PROOF_TEXTS } from '#messages/proof.js'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/text/email-text.tsx'
import { formatInteger, shortenAddress } from '#web/ui/text/format.ts'
import { Mascot, type PipPose } from '#web/ui/pip.tsx'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import { ChangePassword } from './change-password.tsx'
import { ReferralCode } from './referral-code.tsx'
import { ScreenLink } from '../screen-link.tsx'

type PassportProps = { user: Profile; isLoggingOut: boolean; onLogout: (isEverywhere: boolean) => void }

/** The account, drawn as a passport: name, points, status and referral code. */
export function Passport({ user, isLoggingOut, onLogout }: PassportProps) {
  return (
    <div className="mt-8 sheet overflow-hidden">
      <div className="grid grid-cols-1 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
        <section className="p-5 max-[15rem]:p-3 sm:p-8 max-lg:perforated-bottom lg:perforated-end">
          <Holder user={user} />
          <Details user={user} />
        </section>
        <section className="p-5 max-[15rem]:p-3 sm:p-8">
          <Points user={user} />
          <ReferralCode code={user.referralCode} />
          <div className="mt-8 flex flex-wrap gap-3 max-sm:*:grow max-[15rem]:*:px-2">
            <NextLink isTaskCompleted={user.isTaskCompleted} />
            <Button variant="secondary" isPending={isLoggingOut} onClick={() => onLogout(false)}>
              {PROFILE.logout}
            </Button>
          </div>
          <div className="mt-2 flex flex-wrap gap-x-6">
            <ChangePassword />
            <Button variant="quiet" isPending={isLoggingOut} onClick={() => onLogout(true)}>
              {PROFILE.logoutAll}
            </Button>
          </div>
        </section>
      </div>
      <MachineReadable user={user} />
    </div>
  )
}

function Holder({ user }: { user: User }) {
  return (
    <div className="flex items-start gap-4 max-[15rem]:flex-wrap sm:gap-6">
      <div className="grid aspect-4/5 w-24 shrink-0 place-items-end overflow-hidden rounded-sm border border-outline bg-paper sm:w-32">
        <Mascot pose={poseOf(user)} className="mx-auto w-4/5 translate-y-2" />
      </div>
      <div className="min-w-0">
        <p className="label">{PROFILE.username}</p>
        <p className="font-display text-xl font-extrabold break-words">
          <bdi>{user.username}</bdi>
        </p>
        <p className="mt-3 label">{PROFILE.email}</p>
        <p className="text-sm wrap-anywhere">
          <EmailText email={user.email} />
        </p>
      </div>
    </div>
  )
}

// In the API, a claim is a task: `taskId` is the claim, and a completed task is a submitted claim.
function poseOf({ isTaskCompleted, taskId: claim }: User): PipPose {
  if (claim?.approved) return 'stamped'
  return isTaskCompleted ? 'waving' : 'standing'
}

function Details({ user }: { user: Profile }) {
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
              {shortenAddress(claim.wallet)}
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

function taskStatus({ isTaskCompleted, taskId: claim }: User): { text: string; tone: StampTone } {
  if (!isTaskCompleted) return { text: TASK_STATUS.notSubmitted, tone: 'ink' }
  if (claim?.approved) return { text: TASK_STATUS.approved, tone: 'proof' }
  if (claim?.underReview) return { text: TASK_STATUS.underReview, tone: 'accent' }
  return { text: TASK_STATUS.submitted, tone: 'ink' }
}

function Points({ user }: { user: User }) {
  const tiles = [
    [POINTS.kind(CAMPAIGN.token), user.pfPoints],
    [POINTS.kind(CAMPAIGN.chain.currency), user.plsPoints],
    [PROFILE.referralReward, user.referralReward],
    [PROFILE.totalPoints, user.totalPoints],
  ] as const
  return (
    <dl className="grid gap-px overflow-hidden rounded-sm border border-outline bg-outline min-[15rem]:grid-cols-2">
      {tiles.map(([name, points]) => (
        <div key={name} className="bg-paper px-4 py-3.5 last:bg-ink last:text-paper">
          <dt className="text-sm opacity-80">{name}</dt>
          <dd className="figures text-xl font-bold">{formatInteger(points)}</dd>
        </div>
      ))}
    </dl>
  )
}

function NextLink({ isTaskCompleted }: Pick<User, 'isTaskCompleted'>) {
  const link = isTaskCompleted
    ? { to: ROUTES.leaderboard.path, text: PROFILE.toLeaderboard }
    : { to: ROUTES.airdrop.path, text: PROFILE.toAirdrop }
  return (
    <ScreenLink href={link.to} className={buttonStyle()}>
      {link.text}
    </ScreenLink>
  )
}

// A whole number of characters wide, so that none is cut in half.
const MACHINE_LINES =
  'before:block before:w-[round(down,100%,1ch+0.1em)] before:overflow-hidden before:content-[attr(data-first)] ' +
  'after:block after:w-[round(down,100%,1ch+0.1em)] after:overflow-hidden after:content-[attr(data-second)]'

/** The two machine-readable lines of a passport. Decorative, and so drawn with CSS content. */
function MachineReadable({ user }: { user: User }) {
  return (
    <p
      aria-hidden="true"
      dir="ltr"
      data-first={toMachineLine(`P<${CAMPAIGN.token.symbol}<<${user.username}`)}
      data-second={toMachineLine(`${user.referralCode}<<${user._id}`)}
      className={`border-t border-hairline px-5 py-4 figures text-sm tracking-widest whitespace-nowrap text-ink-soft sm:px-8 ${MACHINE_LINES}`}
    />
  )
}

function toMachineLine(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9<]/g, '<')
    .padEnd(120, '<') // Fills any width; the rest is cut off.
}
