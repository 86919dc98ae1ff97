import type { ReactNode } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { dayInWords, SMALL_PRINT_WORDS } from '#web/content/small-print.ts'

/** Foot of a small-print page: date of the last change, and further links. */
export function LastChanged({ campaign, children }: { campaign: CampaignFile; children: ReactNode }) {
  const { updatedOn, contact } = campaign.smallPrint
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 border-t-2 border-ink pt-6">
      <p className="text-sm text-ink-soft">
        {SMALL_PRINT_WORDS.updated} <time dateTime={updatedOn}>{dayInWords(updatedOn)}</time>
        {' · '}
        <a href={`mailto:${contact}`} className="text-link inline-flex min-h-11 items-center wrap-anywhere">
          {contact}
        </a>
      </p>
      {children}
    </div>
  )
}
