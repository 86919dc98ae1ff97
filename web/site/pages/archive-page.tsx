import type { CampaignRecord } from '#contract/campaigns.ts'
import { ARCHIVE, CLOSING } from '#messages/phase.js'
import { archiveDates } from '#web/content/results.ts'
import { StatList } from '#web/features/campaign/results.tsx'
import { archivePath, ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Empty } from '#web/ui/empty.tsx'
import { PageHeader } from '../sections/page-header.tsx'
import type { PageProps } from '../site-context.ts'

export function ArchivePage({ campaign, archive }: Pick<PageProps, 'campaign' | 'archive'>) {
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.archive.path} title={ARCHIVE.title}>
        <p>{ARCHIVE.lead}</p>
      </PageHeader>
      <div className="page pt-10 lg:pt-14">
        {archive.length === 0 ? (
          <Empty pose="asleep" text={ARCHIVE.empty}>
            <a href={ROUTES.airdrop.path} className={buttonStyle('secondary')}>
              {ARCHIVE.emptyLink}
            </a>
          </Empty>
        ) : (
          <ul className="border-t-2 border-ink">
            {archive.map((record) => (
              <EndedCampaign key={record.id} record={record} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function EndedCampaign({ record }: { record: CampaignRecord }) {
  const { id, name, token, opensAt, closesAt, results } = record
  return (
    <li className="grid gap-x-8 gap-y-4 border-b border-hairline py-7 lg:grid-cols-12 lg:items-end">
      <div className="lg:col-span-7">
        <h2 className="text-2xl">
          <a href={archivePath(id)} className="hover:underline">
            {name}
          </a>
        </h2>
        <p className="mt-1 text-sm text-ink-soft">
          {token.symbol} · {archiveDates(opensAt, closesAt)}
        </p>
      </div>
      {results && (
        <StatList
          className="flex flex-wrap gap-x-10 gap-y-3 lg:col-span-5 lg:justify-end"
          stats={[
            { label: CLOSING.claimed, value: results.claimed },
            { label: CLOSING.approved, value: results.approved },
          ]}
        />
      )}
    </li>
  )
}
