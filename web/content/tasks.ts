import { EVIDENCE } from '#messages/airdrop.js'
import type { CampaignFile } from '#contract/campaign-file.ts'

type Tasks = CampaignFile['airdrop']['tasks']

/** Whether joining a Telegram group is a task: only then is membership a question. */
export const hasGroup = (tasks: Tasks): boolean =>
  tasks.some(({ url }) => /^https:\/\/(t|telegram)\.me\//.test(url))

/** Whether a task asks for hashtags: only then are they checked. */
export const asksForHashtags = (tasks: Tasks): boolean =>
  tasks.some(({ hashtags = [] }) => hashtags.length > 0)

/** What of a proof is checked and what is taken on trust. @param asksTelegram if Telegram is asked, too. */
export function evidenceOf(tasks: Tasks, asksTelegram: boolean): { what: string; how: string }[] {
  const { checked, trusted } = EVIDENCE
  const hashtags = asksForHashtags(tasks)
  const group = hasGroup(tasks)
  const trustedInGroup = asksTelegram ? trusted.withTelegram : trusted.withGroup
  return [
    {
      what: checked.what,
      how: asksTelegram ? checked.withTelegram({ hashtags, group }) : checked.withoutTelegram({ hashtags }),
    },
    { what: trusted.what, how: group ? trustedInGroup : trusted.withoutGroup },
  ]
}
