import { EVIDENCE } from '#messages/airdrop.js'
import type { CampaignFile } from '#contract/campaign-file.ts'

type Tasks = CampaignFile['airdrop']['tasks']

/** Whether a task asks to join a Telegram group. Texts mention membership only then. */
export const hasGroup = (tasks: Tasks): boolean =>
  tasks.some(({ url }) => /^https:\/\/(t|telegram)\.me\//.test(url))

/** Whether a task asks for hashtags. They are checked only then. */
export const asksForHashtags = (tasks: Tasks): boolean =>
  tasks.some(({ hashtags = [] }) => hashtags.length > 0)

/**
 * What is checked in a proof, and what is trusted.
 * @param canConnect whether participants can connect Telegram, so that their membership is checked
 */
export function explainChecks(tasks: Tasks, canConnect: boolean): { heading: string; text: string }[] {
  const { checked, trusted } = EVIDENCE
  const hashtags = asksForHashtags(tasks)
  const group = hasGroup(tasks)
  const trustedWithGroup = canConnect ? trusted.withTelegram : trusted.withoutTelegram
  return [
    {
      heading: checked.what,
      text: canConnect ? checked.withTelegram({ hashtags, group }) : checked.withoutTelegram({ hashtags }),
    },
    { heading: trusted.what, text: group ? trustedWithGroup : trusted.withoutGroup },
  ]
}
