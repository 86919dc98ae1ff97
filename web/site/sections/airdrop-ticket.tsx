import type { CampaignFile } from '#contract/campaign-file.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import { isOver } from '#contract/phase.ts'
import { AIRDROP_TICKET } from '#messages/pages.js'
import { CLOSING } from '#messages/phase.js'
import { inUtc } from '#web/content/dates.ts'
import { ResultFigures, StatList, WhatComesNext } from '#web/features/campaign/results.tsx'
import { StageNotice } from '#web/features/campaign/stage-notice.tsx'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Mascot } from '#web/ui/pip.tsx'
import { Island } from '../islands.tsx'
import type { Life } from '../site-context.ts'

type TicketProps = { campaign: CampaignFile; life: Life }

/** The airdrop as a paper ticket with a tear-off stub; with its results once it is over. */
export function AirdropTicket({ campaign, life }: TicketProps) {
  return (
    <section aria-labelledby="ticket-title" className="offer">
      <div className="p-6 sm:p-8 lg:p-10">
        <p className="label">{AIRDROP_TICKET.label}</p>
        {life.results ? (
          <Closing campaign={campaign} life={life} results={life.results} />
        ) : (
          <Offer campaign={campaign} />
        )}
      </div>
      <Stub campaign={campaign} life={life} />
    </section>
  )
}

function Offer({ campaign }: { campaign: CampaignFile }) {
  const { airdrop, texts, token, chain } = campaign
  const { pfPoints, plsPoints } = grantedPoints(airdrop)
  const tasks = airdrop.tasks.length
  const facts = [
    { label: AIRDROP_TICKET.slots, value: airdrop.slots },
    { label: AIRDROP_TICKET.tasks({ tasks }), value: tasks },
    { label: AIRDROP_TICKET.points({ symbol: token.symbol }), value: pfPoints },
    { label: AIRDROP_TICKET.points({ symbol: chain.currency.symbol }), value: plsPoints },
  ].filter(({ value }) => value > 0)
  return (
    <>
      <h2 id="ticket-title" className="mt-3 text-2xl">
        {AIRDROP_TICKET.title({ tasks })}
      </h2>
      <p className="mt-3 max-w-[56ch]">{texts.airdrop}</p>
      <StatList className="mt-8 grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4" stats={facts} />
    </>
  )
}

function Closing({ campaign, life, results }: TicketProps & { results: NonNullable<Life['results']> }) {
  const units = { token: campaign.token, coin: campaign.chain.currency }
  return (
    <>
      <h2 id="ticket-title" className="mt-3 text-2xl">
        {life.stage === 'paid' ? CLOSING.paidTitle : CLOSING.title}
      </h2>
      <div className="mt-6">
        <ResultFigures {...units} results={results} slots={{ total: campaign.airdrop.slots }} />
      </div>
      <h3 className="mt-8 border-t border-hairline pt-6 text-xl">{CLOSING.next}</h3>
      <div className="mt-3 max-w-[62ch]">
        <WhatComesNext {...units} results={results} />
      </div>
    </>
  )
}

function Stub({ campaign: { airdrop }, life }: TicketProps) {
  const { stage, paused, minutesLeft, results } = life
  const { opensAt, closesAt } = airdrop
  return (
    <div className="offer-stub flex flex-col items-start justify-end gap-4 p-6 sm:p-8 lg:p-10">
      <Mascot pose="waving" className="mb-auto w-20 max-lg:hidden" />
      {stage === 'open' && <p className="max-w-[30ch] text-sm">{AIRDROP_TICKET.note}</p>}
      <StageNotice stage={stage} opensAt={opensAt} closesAt={closesAt} paused={paused} format={inUtc} />
      {stage === 'before' && minutesLeft !== null && (
        <Island name="Countdown" props={{ opensAt, minutesLeft }} />
      )}
      <a
        href={isOver(stage) ? ROUTES.leaderboard.path : ROUTES.airdrop.path}
        className={buttonStyle('primary', 'normal', 'max-sm:w-full')}
      >
        {AIRDROP_TICKET.link[stage]}
      </a>
      {isOver(stage) && (
        <p className="flex flex-wrap gap-x-6">
          {results?.payout && (
            <a href={ROUTES.allocation.path} className="standalone-link">
              {CLOSING.allocation}
            </a>
          )}
          <a href={ROUTES.journal.path} className="standalone-link">
            {CLOSING.journal}
          </a>
        </p>
      )}
    </div>
  )
}
