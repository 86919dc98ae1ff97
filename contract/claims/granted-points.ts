import type { CampaignFile } from '../campaign-file.ts'

/** Points in the campaign's token (`pf`) and in the chain's coin (`pls`). */
export type GrantedPoints = { pfPoints: number; plsPoints: number }
type Airdrop = Pick<CampaignFile['airdrop'], 'tasks' | 'pointsPerTask'>
type Task = Airdrop['tasks'][number]

export function pointsOfTask({ points }: Task, { pointsPerTask }: Airdrop): GrantedPoints {
  return { pfPoints: points?.pf ?? pointsPerTask, plsPoints: points?.pls ?? pointsPerTask }
}

/**
 * What approving a claim grants (until then, its pending points). At 5000 points per task, four tasks grant
 * 20000 of each kind.
 * @param tasks all by default
 */
export function grantedPoints(airdrop: Airdrop, tasks: readonly Task[] = airdrop.tasks): GrantedPoints {
  const worth = tasks.map((task) => pointsOfTask(task, airdrop))
  return {
    pfPoints: worth.reduce((sum, { pfPoints }) => sum + pfPoints, 0),
    plsPoints: worth.reduce((sum, { plsPoints }) => sum + plsPoints, 0),
  }
}

/** Whether some tasks are worth more points than others. */
export function differInPoints(airdrop: Airdrop): boolean {
  const [first, ...others] = airdrop.tasks.map((task) => pointsOfTask(task, airdrop))
  return others.some((worth) => worth.pfPoints !== first?.pfPoints || worth.plsPoints !== first.plsPoints)
}
