import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ownCampaigns } from '#contract/campaigns.ts'
import { ARCHIVE } from '#messages/phase.js'
import { call } from '#web/features/api/call.ts'
import { archivePath } from '#web/routes.ts'

/** What the participant earned in airdrops that have ended; nothing without any. */
export function EarlierCampaigns() {
  const heading = useId()
  const { data } = useQuery({
    queryKey: ['own-campaigns'],
    queryFn: async () => (await call(ownCampaigns, {})).data,
    staleTime: Infinity,
  })
  if (!data || data.length === 0) return null
  return (
    <section aria-labelledby={heading} className="mt-12">
      <h2 id={heading} className="border-b-2 border-ink pb-3 text-2xl">
        {ARCHIVE.yours}
      </h2>
      <ul>
        {data.map(({ id, name, rank, totalPoints }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-hairline py-3"
          >
            <a href={archivePath(id)} className="text-link inline-flex min-h-11 items-center font-semibold">
              {name}
            </a>
            <span className="figures text-ink-soft">
              {rank !== null && `${ARCHIVE.yourRank({ rank })} · `}
              {ARCHIVE.yourPoints({ total: totalPoints })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
