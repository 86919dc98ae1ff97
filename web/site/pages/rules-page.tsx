import { inUtc } from '#web/content/dates.ts'
import { SMALL_PRINT_WORDS } from '#messages/small-print.js'
import { rulesLead, rulesOf } from '#web/content/site/small-print.ts'
import { StageNotice } from '#web/features/campaign/stage-notice.tsx'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Clauses, Contents, LastChanged } from '../sections/clauses.tsx'
import { PageHeader } from '../sections/page-header.tsx'
import type { PageProps } from '../site-context.ts'

export function RulesPage({ campaign, life }: Pick<PageProps, 'campaign' | 'life'>) {
  const clauses = [
    ...rulesOf(campaign),
    ...campaign.smallPrint.rules.map(({ title, text }) => ({ title, text: [text] })),
    { title: SMALL_PRINT_WORDS.risk, text: [campaign.texts.risk] },
  ]
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.rules.path} title={SMALL_PRINT_WORDS.rulesTitle}>
        <p>{rulesLead(campaign)}</p>
      </PageHeader>
      {life.stage === 'paused' && (
        <div className="page pt-10">
          <StageNotice {...campaign.airdrop} {...life} format={inUtc} hasNote />
        </div>
      )}
      <Contents label={SMALL_PRINT_WORDS.contents} titles={clauses.map(({ title }) => title)} />
      <div className="page pt-10 lg:pt-14">
        <Clauses clauses={clauses} />
        <LastChanged campaign={campaign}>
          <a href={ROUTES.airdrop.path} className={buttonStyle()}>
            {ROUTES.airdrop.name}
          </a>
        </LastChanged>
      </div>
    </>
  )
}
