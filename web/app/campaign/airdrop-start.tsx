import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { User } from '#contract/entities.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { isOver } from '#contract/phase.ts'
import { AIRDROP, START } from '#messages/airdrop.js'
import { YOUR_CLAIM } from '#messages/claim.js'
import { STAGE_WORDS } from '#messages/phase.js'
import { RichText } from '#web/ui/text/rich-text.tsx'
import { Countdown } from '#web/features/campaign/opening-countdown.tsx'
import { StageNotice } from '#web/features/campaign/stage-notice.tsx'
import { formatDateTime } from '#web/features/time/time.tsx'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Mascot } from '#web/ui/pip.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import { ScreenLink } from '../screen-link.tsx'
import { hasNoAttemptsLeft } from './previous-claim.ts'
import { CAMPAIGN_QUERY, useCampaign, useSlotUpdates, useStage } from './use-campaign.ts'
import { JoinWaitingList, Reservation, WaitingPlace } from './waiting-list.tsx'
import { StepHeading } from './airdrop-steps.tsx'

type StartProps = {
  /** Undefined if not logged in or not fetched. `isTaskCompleted` means that they have claimed. */
  user: User | undefined
  /** Undefined if no one is logged in or it cannot be fetched. `claim` is null if there is none. */
  ownClaim: OwnClaim | undefined
  isLoading: boolean
  onClaim: () => void
}

/** The first step: the rules, the slots, and what the visitor can do next, such as claim. */
export function AirdropStart(props: StartProps) {
  const current = useStage()
  const { stage, opensAt } = current
  const queries = useQueryClient()
  const refresh = useCallback(() => void queries.invalidateQueries({ queryKey: CAMPAIGN_QUERY }), [queries])
  return (
    <>
      <StepHeading title={props.user?.isTaskCompleted ? START.claimedTitle : START.title} />
      <p className="mt-4 max-w-[56ch] text-lg">{CAMPAIGN.texts.airdrop}</p>
      <ul className="mt-5 max-w-[62ch] divide-y divide-hairline border-y border-hairline">
        {CAMPAIGN.texts.airdropRules.map((rule) => (
          <li key={rule} className="py-2.5 text-sm">
            {rule}
          </li>
        ))}
      </ul>
      <div className="flex items-end justify-between gap-8">
        <div className="min-w-0 flex-1">
          {!isOver(stage) && <Slots />}
          <div className="mt-6 grid gap-6">
            {/* A full campaign is shown as open, because the slots above already show that none is left. */}
            <StageNotice
              {...current}
              stage={stage === 'full' ? 'open' : stage}
              format={formatDateTime}
              hasNote
            />
            {stage === 'before' && (
              <Countdown
                opensAt={opensAt}
                minutesLeft={minutesUntil(opensAt)}
                isOpeningShownElsewhere
                onChange={refresh}
              />
            )}
            <div>
              <StartActions {...props} />
            </div>
          </div>
        </div>
        <Mascot
          pose={props.user?.isTaskCompleted ? 'waving' : 'standing'}
          className="-mb-1 h-44 max-sm:hidden"
        />
      </div>
    </>
  )
}

const minutesUntil = (at: string) => Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 60_000))

const WIDTH = 'w-full sm:w-auto sm:px-10'
const LINK_STYLE = buttonStyle('primary', 'normal', WIDTH)

/** Visitors register or log in. Users claim, or see where their claim stands. */
function StartActions({ user, ownClaim, isLoading, onClaim }: StartProps) {
  const { stage } = useStage()
  if (isLoading)
    return (
      <div role="status" aria-label={START.loading}>
        <Skeleton className="h-12 w-full sm:w-56" />
      </div>
    )
  if (!user)
    return (
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        {stage === 'full' && <p className="mb-3 basis-full">{STAGE_WORDS.full.note}</p>}
        <ScreenLink href={ROUTES.register.path} className={LINK_STYLE}>
          {START.register}
        </ScreenLink>
        <p>
          {START.haveAccount}{' '}
          <ScreenLink href={ROUTES.login.path} className="text-link">
            {START.login}
          </ScreenLink>
        </p>
      </div>
    )
  return <ClaimActions user={user} ownClaim={ownClaim} onClaim={onClaim} />
}

function ClaimActions({ user, ownClaim, onClaim }: Omit<StartProps, 'isLoading'> & { user: User }) {
  const { stage } = useStage()
  if (!user.isTaskCompleted && ownClaim) {
    const { slot, waiting } = ownClaim
    if (hasNoAttemptsLeft(ownClaim)) return <p>{YOUR_CLAIM.attemptsOver}</p>
    if (!slot && waiting) return <WaitingPlace place={waiting.place} />
    if (!slot && stage === 'full') return <JoinWaitingList />
  }
  // A slot kept after a rejection or reserved from the waiting list can be claimed even after the end.
  if (!user.isTaskCompleted && isOver(stage) && !ownClaim?.slot)
    return (
      <ScreenLink href={ROUTES.leaderboard.path} className={LINK_STYLE}>
        {START.leaderboard}
      </ScreenLink>
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button
          className={WIDTH}
          disabled={user.isTaskCompleted || stage === 'before' || stage === 'paused'}
          onClick={onClaim}
        >
          {user.isTaskCompleted ? START.claimed : START.claim}
        </Button>
        {user.isTaskCompleted && (
          <ScreenLink href={ROUTES.profile.path} className="standalone-link">
            {START.seeClaim}
          </ScreenLink>
        )}
      </div>
      {!user.isTaskCompleted && ownClaim?.slot && (
        <div className="mt-3">
          <Reservation slot={ownClaim.slot} />
        </div>
      )}
    </>
  )
}

function Slots() {
  const slots = useCampaign().data?.slots
  useSlotUpdates()
  return (
    <div className="mt-6 min-h-16">
      {slots && (
        <>
          <p className="label">{AIRDROP.slots}</p>
          <p className="figures text-ink-soft">
            <RichText
              text={AIRDROP.slotsLeft(slots)}
              tags={{ left: <strong className="text-xl font-bold text-ink" /> }}
            />
          </p>
          {slots.left === 0 && <p className="mt-2 font-semibold text-accent-text">{AIRDROP.noSlotsLeft}</p>}
        </>
      )}
    </div>
  )
}
