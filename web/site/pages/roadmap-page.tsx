import type { CampaignFile } from '#contract/campaign-file.ts'
import { ROADMAP } from '#messages/pages.js'
import { ROUTES } from '#web/routes.ts'
import { Mascot } from '#web/ui/pip.tsx'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'
import { PageHeader } from '../sections/page-header.tsx'

type Phase = CampaignFile['roadmap'][number]

const TONES: Record<Phase['status'], StampTone> = {
  completed: 'proof',
  'in-progress': 'accent',
  upcoming: 'ink',
}

export function RoadmapPage({ campaign }: { campaign: CampaignFile }) {
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.roadmap.path} title={ROADMAP.title}>
        <p>{campaign.texts.roadmap}</p>
      </PageHeader>
      <ol className="page pt-14 lg:pt-20">
        {campaign.roadmap.map((phase, index) => (
          <PhaseItem key={phase.phase} phase={phase} number={index + 1} />
        ))}
      </ol>
    </>
  )
}

/** The line next to a phase is solid once the phase is completed, dashed until then. */
function PhaseItem({ phase, number }: { phase: Phase; number: number }) {
  return (
    <li className="stop" data-status={phase.status}>
      <div className="stop-mark" aria-hidden="true">
        {phase.status === 'in-progress' ? <Mascot pose="waving" className="w-full" /> : <span>{number}</span>}
      </div>
      <div className="grid gap-x-8 gap-y-3 lg:grid-cols-11">
        <div className="lg:col-span-6">
          <h2 className="text-2xl">{phase.phase}</h2>
          <p className="mt-4">
            <Stamp tone={TONES[phase.status]}>{ROADMAP.badges[phase.status]}</Stamp>
          </p>
        </div>
        <ul className="lg:col-span-5 lg:pt-2">
          {phase.points.map((point) => (
            <li key={point} className="border-t border-hairline py-2.5 first:border-t-0 lg:first:border-t">
              {point}
            </li>
          ))}
        </ul>
      </div>
    </li>
  )
}
