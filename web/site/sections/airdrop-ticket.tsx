import type { CampaignFile } from '#contract/campaign-file.ts'
import { grantedPoints } from '#contract/granted-points.ts'
import type { Phase } from '#contract/phase.ts'
import { AIRDROP_TICKET } from '#web/content/pages.ts'
import { inUtc } from '#web/content/phase.ts'
import { PhaseNotice } from '#web/features/campaign/phase-notice.tsx'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Pip } from '#web/ui/pip.tsx'

/** The airdrop as a paper ticket with a tear-off stub. */
export function AirdropTicket({ campaign, phase }: { campaign: CampaignFile; phase: Phase }) {
  const { airdrop, texts, token, chain } = campaign
  const points = grantedPoints(airdrop).toLocaleString('en')
  const facts = [
    { label: AIRDROP_TICKET.slots, value: airdrop.slots.toLocaleString('en') },
    { label: AIRDROP_TICKET.tasks, value: String(airdrop.tasks.length) },
    { label: AIRDROP_TICKET.points(token.symbol), value: points },
    { label: AIRDROP_TICKET.points(chain.currency.symbol), value: points },
  ]
  return (
    <section aria-labelledby="ticket-title" className="offer">
      <div className="p-6 sm:p-8 lg:p-10">
        <p className="label">{AIRDROP_TICKET.label}</p>
        <h2 id="ticket-title" className="mt-3 text-2xl">
          {AIRDROP_TICKET.title(airdrop.tasks.length)}
        </h2>
        <p className="mt-3 max-w-[56ch]">{texts.airdrop}</p>
        <dl className="mt-8 grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4">
          {facts.map((fact) => (
            <div key={fact.label}>
              <dt className="label">{fact.label}</dt>
              <dd className="figures text-stat mt-1 font-medium">{fact.value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="offer-stub flex flex-col items-start justify-end gap-4 p-6 sm:p-8 lg:p-10">
        <Pip pose="waving" className="mb-auto w-20 max-lg:hidden" />
        {phase === 'open' && <p className="max-w-[30ch] text-sm">{AIRDROP_TICKET.note}</p>}
        <PhaseNotice phase={phase} opensAt={airdrop.opensAt} closesAt={airdrop.closesAt} format={inUtc} />
        <a
          href={phase === 'after' ? ROUTES.leaderboard.path : ROUTES.airdrop.path}
          className={buttonStyle('primary', 'normal', 'max-sm:w-full')}
        >
          {AIRDROP_TICKET.link[phase]}
        </a>
      </div>
    </section>
  )
}
