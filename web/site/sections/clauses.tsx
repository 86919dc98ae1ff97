import { RichText } from '#web/ui/text/rich-text.tsx'
import type { ReactNode } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { ALLOCATION } from '#messages/allocation.js'
import { SMALL_PRINT_WORDS } from '#messages/small-print.js'
import { dayInWords } from '#web/content/dates.ts'
import type { Clause } from '#web/content/site/small-print.ts'

const { how, not } = ALLOCATION

export const ALLOCATION_CLAUSES: readonly Clause[] = [
  { title: how.title, text: [how.text.root, how.text.browser] },
  { title: not.title, text: [not.text.payout, not.text.approvals, not.text.root] },
]

/** Numbered clauses of a small-print page. `from`: the number of the first clause. */
export function Clauses({ clauses, from = 1 }: { clauses: readonly Clause[]; from?: number }) {
  return clauses.map(({ title, text }, index) => (
    <ClauseRow key={title} number={from + index} title={title}>
      {text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </ClauseRow>
  ))
}

type ClauseRowProps = { number: number; title: string; id?: string; children: ReactNode }

export function ClauseRow({ number, title, id = `clause-${number}`, children }: ClauseRowProps) {
  return (
    <section id={id} className="clause fact-row wrap-anywhere">
      <p aria-hidden="true" className="clause-number">
        {number}
      </p>
      <h2 className="text-xl">{title}</h2>
      <div className="clause-text">{children}</div>
    </section>
  )
}

export function Contents({ label, titles }: { label: string; titles: readonly string[] }) {
  return (
    <nav aria-label={label} className="page pt-12 lg:pt-16">
      <p className="label">{label}</p>
      <ol className="mt-2 text-sm sm:columns-2 lg:columns-3">
        {titles.map((title, index) => (
          <li key={title} className="break-inside-avoid">
            <a href={`#clause-${index + 1}`} className="footer-link gap-3">
              <span aria-hidden="true" className="figures min-w-5 text-ink-soft">
                {index + 1}
              </span>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The end of a small-print page: date of its last change, contact, and further links. */
export function LastChanged({ campaign, children }: { campaign: CampaignFile; children: ReactNode }) {
  const { updatedOn, contact } = campaign.smallPrint
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 border-t-2 border-ink pt-6">
      <p className="flex flex-wrap items-center gap-x-5 text-sm text-ink-soft">
        <span>
          <RichText
            text={SMALL_PRINT_WORDS.updated({ date: dayInWords(updatedOn) })}
            tags={{ time: <time dateTime={updatedOn} /> }}
          />
        </span>
        <a href={`mailto:${contact}`} className="standalone-link wrap-anywhere">
          {contact}
        </a>
      </p>
      {children}
    </div>
  )
}
