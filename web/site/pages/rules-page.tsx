import type { CampaignFile } from '#contract/campaign-file.ts'
import { rulesLead, rulesOf, SMALL_PRINT_WORDS } from '#web/content/small-print.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Clauses, Contents, LastChanged } from '../sections/clauses.tsx'
import { Folio } from '../sections/folio.tsx'

/** The campaign's rules: those derived from its figures, then its own paragraphs. */
export function RulesPage({ campaign }: { campaign: CampaignFile }) {
  const own = campaign.smallPrint.rules.map(({ title, text }) => ({ title, text: [text] }))
  const clauses = [
    ...rulesOf(campaign),
    ...own,
    { title: SMALL_PRINT_WORDS.risk, text: [campaign.texts.risk] },
  ]
  return (
    <>
      <Folio campaign={campaign} path={ROUTES.rules.path} title={SMALL_PRINT_WORDS.rulesTitle}>
        <p>{rulesLead(campaign)}</p>
      </Folio>
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
