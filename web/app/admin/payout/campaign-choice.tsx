import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { campaigns } from '#contract/campaigns.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { call } from '#web/features/api/call.ts'
import { useChosenCampaign } from './use-chosen-campaign.ts'

/** Chooses between the current campaign and archived ones, which can still be paid. Absent without any. */
export function CampaignChoice({ enabled }: { enabled: boolean }) {
  const { query, choose } = useChosenCampaign()
  const id = useId()
  const { data = [] } = useQuery({
    queryKey: ['campaigns'],
    queryFn: async () => (await call(campaigns, {})).data,
    enabled,
  })
  const current = data.find(({ isCurrent }) => isCurrent)
  if (!current || data.length < 2) return null
  return (
    <span className="grid gap-1 text-sm">
      <label htmlFor={id} className="label">
        {PAYOUT.campaign}
      </label>
      <select
        id={id}
        value={query.campaign ?? current.id}
        onChange={({ target }) => choose(target.value === current.id ? undefined : target.value)}
        className="min-h-11 max-w-full rounded-sm border border-outline bg-paper px-2.5 hover:border-ink lg:min-h-9"
      >
        {data.map((each) => (
          <option key={each.id} value={each.id}>
            {each.isCurrent
              ? PAYOUT.campaignCurrent({ name: each.name })
              : PAYOUT.campaignArchived({ name: each.name })}
          </option>
        ))}
      </select>
    </span>
  )
}
