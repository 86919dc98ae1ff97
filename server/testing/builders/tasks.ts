import type { CampaignFile } from '#contract/campaign-file.ts'

type Task = CampaignFile['airdrop']['tasks'][number]

/**
 * Tasks numbered from 1 to `count`. Odd ones are worth `pointsPerTask`. Even ones are worth 1,000 times their
 * number in the token and 100 in the coin, but the second is worth nothing in the coin.
 */
export function tasksOf(count: number): Task[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    const task = {
      id: `task-${number}`,
      title: `Task number ${number}`,
      detail: `What task number ${number} is about.`,
      url: `https://x.com/made_up/status/${number}`,
    }
    if (number % 2 === 1) return task
    return { ...task, points: { pf: number * 1_000, pls: number === 2 ? 0 : 100 } }
  })
}
