import type { CampaignFile } from '#contract/campaign-file.ts'

type Tasks = CampaignFile['airdrop']['tasks']

/** Whether joining a Telegram group is a task: only then is membership a question. */
export const hasGroup = (tasks: Tasks): boolean =>
  tasks.some(({ url }) => /^https:\/\/(t|telegram)\.me\//.test(url))

/** Whether a task asks for hashtags: only then are they checked. */
export const asksForHashtags = (tasks: Tasks): boolean =>
  tasks.some(({ hashtags = [] }) => hashtags.length > 0)
