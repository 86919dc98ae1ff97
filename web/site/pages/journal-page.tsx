import { HEADS_PATH, headText, type PublishedHead } from '#contract/journal.ts'
import { JOURNAL } from '#messages/journal.js'
import { dayInWords } from '#web/content/dates.ts'
import { formatInteger } from '#web/ui/text/format.ts'
import { ROUTES } from '#web/routes.ts'
import { ClauseRow, Clauses } from '../sections/clauses.tsx'
import { PageHeader } from '../sections/page-header.tsx'
import type { PageProps } from '../site-context.ts'

/** The file at HEADS_PATH has all days. */
const DAYS_SHOWN = 30

/** The journal's head (its newest hash) of each day, and how to verify it. */
export function JournalPage({ campaign, heads }: Pick<PageProps, 'campaign' | 'heads'>) {
  const { inIt, holds, published, check } = JOURNAL
  const [newest] = heads
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.journal.path} title={JOURNAL.title}>
        <p>{JOURNAL.lead}</p>
      </PageHeader>
      <div className="page pt-10 lg:pt-14">
        <ClauseRow number={1} title={published.title}>
          <p>{published.text}</p>
          <Heads heads={heads.slice(0, DAYS_SHOWN)} />
          <p>
            <a href={HEADS_PATH} className="standalone-link">
              {published.all}
            </a>
          </p>
        </ClauseRow>
        <ClauseRow number={2} title={check.title}>
          <p>{check.text}</p>
          <p>
            <code className="figures block bg-sheet p-4 text-xs wrap-anywhere">
              {check.command({ head: newest ? headText(newest) : check.sample })}
            </code>
          </p>
        </ClauseRow>
        <Clauses
          clauses={[
            { title: inIt.title, text: [inIt.text.entries, inIt.text.names] },
            { title: holds.title, text: [holds.text] },
          ]}
          from={3}
        />
      </div>
    </>
  )
}

function Heads({ heads }: { heads: readonly PublishedHead[] }) {
  if (heads.length === 0) return <p className="text-ink-soft">{JOURNAL.published.none}</p>
  return (
    <ol className="my-4 border-t border-hairline">
      {heads.map((head) => (
        <li key={head.day} className="border-b border-hairline py-3">
          <p className="flex flex-wrap justify-between gap-x-4">
            <time dateTime={head.day} className="font-semibold">
              {dayInWords(head.day)}
            </time>
            <span className="figures text-sm text-ink-soft">
              {JOURNAL.published.entry({ number: formatInteger(head.number) })}
            </span>
          </p>
          <code className="figures mt-1 block text-xs wrap-anywhere">{headText(head)}</code>
        </li>
      ))}
    </ol>
  )
}
