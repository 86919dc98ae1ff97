import type { CampaignFile } from '#contract/campaign-file.ts'

type Tasks = CampaignFile['airdrop']['tasks']

/** Whether joining a Telegram group is a task: only then is membership a question. */
export const hasGroup = (tasks: Tasks): boolean =>
  tasks.some(({ url }) => /^https:\/\/(t|telegram)\.me\//.test(url))

/** What is checked of a post: hashtags only if a task asks for some. */
export const postChecks = (tasks: Tasks): string =>
  tasks.some(({ hashtags = [] }) => hashtags.length > 0)
    ? 'your post, its author, hashtags and time'
    : 'your post, its author and time'
