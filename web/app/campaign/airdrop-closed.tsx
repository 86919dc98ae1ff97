import { campaignRecord, type CampaignRecord } from '#contract/campaigns.ts'
import type { User } from '#contract/entities.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { CLOSING } from '#messages/phase.js'
import { ownResult } from '#web/content/results.ts'
import { useData } from '#web/features/api/use-data.ts'
import { ResultFigures, WhatComesNext } from '#web/features/campaign/results.tsx'
import { StageNotice } from '#web/features/campaign/stage-notice.tsx'
import { formatDateTime } from '#web/features/time/time.tsx'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Mascot } from '#web/ui/pip.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import { MissingPart } from '../missing-part.tsx'
import { ScreenLink } from '../screen-link.tsx'
import { useStage } from './use-campaign.ts'

const POLL_MS = 60_000

type ClosedProps = { user: User | undefined; ownClaim: OwnClaim | undefined }

export function AirdropClosed({ user, ownClaim }: ClosedProps) {
  const current = useStage()
  const isPaid = current.stage === 'paid'
  const { data, isError, refetch } = useData(campaignRecord, {
    queryKey: ['campaign-record', CAMPAIGN.id],
    params: { id: CAMPAIGN.id },
    refetchInterval: POLL_MS,
  })
  return (
    <div className="offer mt-8">
      <div className="p-6 sm:p-8 lg:p-10">
        <h2 className="text-2xl">{isPaid ? CLOSING.paidTitle : CLOSING.title}</h2>
        <div className="mt-5">
          <StageNotice {...current} format={formatDateTime} hasNote />
        </div>
        <div className="mt-8 min-h-36">
          {data?.results && <ResultFigures {...data} results={data.results} />}
          {!data?.results && !isError && <Skeleton className="h-36" />}
          {!data?.results && isError && <MissingPart onRetry={() => void refetch()} />}
        </div>
        {data?.results && <Next record={data} results={data.results} />}
      </div>
      <div className="offer-stub flex flex-col items-start justify-end gap-5 p-6 sm:p-8 lg:p-10">
        <Mascot pose={isPaid ? 'waving' : 'standing'} className="mb-auto w-20 max-lg:hidden" />
        {user && <OwnResult user={user} ownClaim={ownClaim} />}
        <ScreenLink
          href={ROUTES.leaderboard.path}
          className={buttonStyle(ownClaim?.claim ? 'secondary' : 'primary', 'normal', 'max-sm:w-full')}
        >
          {CLOSING.leaderboard}
        </ScreenLink>
      </div>
    </div>
  )
}

type NextProps = { record: CampaignRecord; results: NonNullable<CampaignRecord['results']> }

function Next({ record, results }: NextProps) {
  return (
    <section className="mt-8 border-t border-hairline pt-6">
      <h3 className="text-xl">{CLOSING.next}</h3>
      <div className="mt-3 max-w-[62ch]">
        <WhatComesNext {...record} results={results} />
      </div>
      <p className="mt-5 flex flex-wrap gap-x-6 gap-y-1">
        {results.payout && (
          <a href={ROUTES.allocation.path} className="standalone-link">
            {CLOSING.allocation}
          </a>
        )}
        <a href={ROUTES.journal.path} className="standalone-link">
          {CLOSING.journal}
        </a>
        <a href={ROUTES.archive.path} className="standalone-link">
          {CLOSING.archive}
        </a>
      </p>
    </section>
  )
}

function OwnResult({ user, ownClaim }: { user: User; ownClaim: OwnClaim | undefined }) {
  return (
    <div className="grid w-full justify-items-start gap-3">
      <p className="label">{CLOSING.yours}</p>
      <p className="max-w-[34ch]">{ownResult(ownClaim?.claim?.status ?? null, user.totalPoints)}</p>
      {ownClaim?.claim && (
        <ScreenLink href={ROUTES.profile.path} className={buttonStyle('primary', 'normal', 'max-sm:w-full')}>
          {CLOSING.profile}
        </ScreenLink>
      )}
    </div>
  )
}
