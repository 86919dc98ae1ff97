import type { CampaignFile } from '#contract/campaign-file.ts'
import { SMALL_PRINT_WORDS } from '#messages/small-print.js'
import { privacyLead, privacyOf, storedOf } from '#web/content/site/small-print.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ClauseRow, Clauses, Contents, LastChanged } from '../sections/clauses.tsx'
import { PageHeader } from '../sections/page-header.tsx'

export function PrivacyPage({ campaign }: { campaign: CampaignFile }) {
  const { smallPrint, texts } = campaign
  const [responsible, ...generated] = privacyOf(campaign)
  const clausesBeforeTable = responsible ? [responsible] : []
  const clausesAfterTable = [
    ...generated,
    ...smallPrint.privacy.map(({ title, text }) => ({ title, text: [text] })),
    ...smallPrint.terms.map(({ title, text }) => ({
      title: SMALL_PRINT_WORDS.terms({ title }),
      text: [text],
    })),
    { title: SMALL_PRINT_WORDS.risk, text: [texts.risk] },
  ]
  const titles = [...clausesBeforeTable, { title: SMALL_PRINT_WORDS.stored }, ...clausesAfterTable].map(
    ({ title }) => title,
  )
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.privacy.path} title={SMALL_PRINT_WORDS.privacyTitle}>
        <p>{privacyLead(campaign)}</p>
      </PageHeader>
      <Contents label={SMALL_PRINT_WORDS.contents} titles={titles} />
      <div className="page pt-10 lg:pt-14">
        <Clauses clauses={clausesBeforeTable} />
        <ClauseRow number={clausesBeforeTable.length + 1} title={SMALL_PRINT_WORDS.stored}>
          <StoredTable campaign={campaign} />
        </ClauseRow>
        <Clauses clauses={clausesAfterTable} from={clausesBeforeTable.length + 2} />
        <LastChanged campaign={campaign}>
          <a href={ROUTES.rules.path} className={buttonStyle('secondary')}>
            {ROUTES.rules.name}
          </a>
        </LastChanged>
      </div>
    </>
  )
}

/** What is stored, why and for how long: stacked on a phone, side by side on a wide screen. */
function StoredTable({ campaign }: { campaign: CampaignFile }) {
  const { what, why, kept } = SMALL_PRINT_WORDS.storedColumns
  return (
    <ul>
      {storedOf(campaign).map((row) => (
        <li key={row.what} className="stored-data">
          <p className="font-semibold text-ink">
            <span className="sr-only">{what} </span>
            {row.what}
          </p>
          <p>
            <span className="label block">{why}</span>
            {row.why}
          </p>
          <p>
            <span className="label block">{kept}</span>
            {row.kept}
          </p>
        </li>
      ))}
    </ul>
  )
}
