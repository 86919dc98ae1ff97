import { EVIDENCE } from '#messages/airdrop.js'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { asksForHashtags, hasGroup } from './tasks.ts'

type Tasks = CampaignFile['airdrop']['tasks']

/**
 * What of a proof is checked, and what is taken on trust, for a campaign with or without checks by Telegram.
 */
export function evidenceOf(tasks: Tasks, withTelegram: boolean): { what: string; how: string }[] {
  const { checked, trusted } = EVIDENCE
  const hashtags = asksForHashtags(tasks)
  const group = hasGroup(tasks)
  return [
    {
      what: checked.what,
      how: withTelegram ? checked.withTelegram({ hashtags, group }) : checked.withoutTelegram({ hashtags }),
    },
    {
      what: trusted.what,
      how: !group ? trusted.withoutGroup : withTelegram ? trusted.withTelegram : trusted.withGroup,
    },
  ]
}
