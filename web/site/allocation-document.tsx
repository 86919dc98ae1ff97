import { directionOf } from '#contract/locales.ts'
import { LOCALE } from '#messages/locale.js'
import { SHARDS_PLACE, SITE_FILES } from '#web/content/site/allocation-site.ts'
import type { AllocationSummary } from '#contract/allocation.ts'
import { ALLOCATION, SITE } from '#messages/allocation.js'
import { Mascot } from '#web/ui/pip.tsx'
import { HeadStart } from './html-document.tsx'
import { AllocationCheck } from './sections/allocation-check.tsx'
import { ALLOCATION_CLAUSES, ClauseRow, Clauses } from './sections/clauses.tsx'

/** Page of an allocation's static site, which outlives the server: relative links, and the Merkle root inside. */
export function AllocationDocument({ name, summary }: { name: string; summary: AllocationSummary }) {
  return (
    <html lang={LOCALE} dir={directionOf(LOCALE)}>
      <head>
        <HeadStart title={SITE.title({ name })} description={SITE.description({ name })} />
        <link rel="stylesheet" href="check.css" />
        <script src="check.js" defer />
      </head>
      <body>
        <main>
          <header className="page pt-6 lg:pt-8">
            <p className="figures flex flex-wrap justify-between gap-x-4 border-b border-hairline pb-3 text-xs text-ink-soft">
              <span>{name}</span>
              <span>{SITE.chain({ id: summary.chainId })}</span>
            </p>
            <div className="grid gap-x-8 gap-y-6 pt-10 lg:grid-cols-12 lg:pt-16">
              <h1 className="text-3xl lg:col-span-7">{ALLOCATION.title}</h1>
              <div className="flex items-end justify-between gap-6 text-lg lg:col-span-5 lg:self-end">
                <p>{SITE.lead({ wallets: summary.recipients })}</p>
                <Mascot pose="stamped" className="hidden h-28 shrink-0 sm:block" />
              </div>
            </div>
          </header>
          <div
            data-allocation
            data-summary={JSON.stringify(summary)}
            data-shards={SHARDS_PLACE}
            className="page py-10 lg:py-16"
          >
            <AllocationCheck allocation={summary} />
            <noscript>
              <p className="mt-6">{SITE.needsScript}</p>
            </noscript>
          </div>
          <div className="page">
            <Clauses clauses={ALLOCATION_CLAUSES} />
            <ClauseRow number={ALLOCATION_CLAUSES.length + 1} title={SITE.downloads} id="downloads">
              <p>{SITE.downloadsText}</p>
              <ul className="mt-4">
                {SITE_FILES.map(({ path, text }) => (
                  <li key={path} className="border-t border-hairline py-2">
                    <a href={path} className="standalone-link figures text-sm">
                      {path}
                    </a>
                    <p className="text-sm text-ink-soft">{text}</p>
                  </li>
                ))}
              </ul>
            </ClauseRow>
          </div>
        </main>
      </body>
    </html>
  )
}
