import { useQuery } from '@tanstack/react-query'
import { campaigns } from '#contract/campaigns.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { call } from '#web/features/api/call.ts'
import { Choice } from '../toolbar.tsx'
import { useChosenCampaign } from './use-chosen-campaign.ts'

/** Chooses between the current campaign and archived ones, which can still be paid. Absent without any. */
export function CampaignChoice({ enabled }: { enabled: boolean }) {
  const { query, choose } = useChosenCampaign()
  const { data = [] } = useQuery({
    queryKey: ['campaigns'],
    queryFn: async () => (await call(campaigns, {})).data,
    enabled,
  })
  const current = data.find(({ isCurrent }) => isCurrent)
  if (!current || data.length < 2) return null
  return (
    <Choice
      label={PAYOUT.campaign}
      value={query.campaign ?? current.id}
      options={
        new Map(
          data.map(({ id, isCurrent, name }) => [
            id,
            isCurrent ? PAYOUT.campaignCurrent({ name }) : PAYOUT.campaignArchived({ name }),
          ]),
        )
      }
      onChoice={(id) => choose(id === current.id ? undefined : id)}
    />
  )
}
