/** What approval grants in each of PF and PLS. */
export const grantedPoints = (airdrop: { tasks: readonly unknown[]; pointsPerTask: number }): number =>
  airdrop.tasks.length * airdrop.pointsPerTask
