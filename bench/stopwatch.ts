/**
 * Runs each variant once per round, one after the other, so that other work of the machine slows all of them
 * equally. First come a tenth as many rounds to warm up, which do not count.
 * @returns the milliseconds of each round, by variant
 */
export async function timesInTurn<K extends string>(
  rounds: number,
  variants: Record<K, (round: number) => Promise<unknown>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(variants) as K[]
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>
  const warmup = Math.ceil(rounds / 10)
  for (let round = 0; round < warmup + rounds; round += 1)
    for (const name of names) {
      const startedAt = performance.now()
      await variants[name](round)
      if (round >= warmup) times[name].push(performance.now() - startedAt)
    }
  return times
}

/** The share `q` of the values is below the returned value; 0 if there are no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
}

/** Runs the jobs in order, at most `concurrency` at a time. @returns seconds until all are done. */
export async function runAll(
  jobs: readonly (() => Promise<unknown>)[],
  concurrency: number,
): Promise<number> {
  const startedAt = performance.now()
  // All workers share this iterator, so each job is taken once.
  const queue = jobs.values()
  const worker = async () => {
    for (const job of queue) await job()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return (performance.now() - startedAt) / 1000
}
