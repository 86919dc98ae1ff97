import { RichText } from '#web/ui/text/rich-text.tsx'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { allocationSummary } from '#contract/allocation.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { ALLOCATION } from '#messages/allocation.js'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AllocationCheck } from '../sections/allocation-check.tsx'
import { ALLOCATION_CLAUSES, Clauses } from '../sections/clauses.tsx'
import { PageHeader } from '../sections/page-header.tsx'

/** The public check of the allocation. `allocation-check.ts` fetches it and shows the part for its state. */
export function AllocationPage({ campaign }: { campaign: CampaignFile }) {
  const address = API_BASE + allocationSummary.path
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.allocation.path} title={ALLOCATION.title}>
        <p>{ALLOCATION.lead}</p>
      </PageHeader>
      <div data-allocation aria-busy="true" className="page allocation-states">
        <div data-state="loading" className="needs-script">
          <Skeleton className="h-64" />
        </div>
        <div data-state="frozen" hidden>
          <AllocationCheck allocation={{ token: campaign.token, coin: campaign.chain.currency }} />
        </div>
        <div data-state="none" hidden>
          <Empty pose="asleep" text={ALLOCATION.none}>
            <p className="max-w-[46ch] text-ink-soft">{ALLOCATION.noneText}</p>
            <a href={ROUTES.airdrop.path} className={buttonStyle()}>
              {ALLOCATION.noneAction}
            </a>
          </Empty>
        </div>
        <p data-state="unreachable" role="alert" hidden className="py-16 text-center font-semibold">
          {ALLOCATION.unreachable}
        </p>
        <noscript>
          <p className="py-16">
            <RichText
              text={ALLOCATION.needsScript({ address })}
              tags={{ address: <code className="wrap-anywhere" /> }}
            />
          </p>
        </noscript>
      </div>
      <div className="page pt-4">
        <Clauses clauses={ALLOCATION_CLAUSES} />
      </div>
    </>
  )
}
