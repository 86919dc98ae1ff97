export type Times = { median: number; p95: number }

/** Milliseconds of `count` runs, one after the other; the first tenth warms up and is not counted. */
export async function time(count: number, run: () => Promise<unknown>): Promise<Times> {
  const times: number[] = []
  for (let index = -Math.ceil(count / 10); index < count; index += 1) {
    const begin = performance.now()
    await run()
    if (index >= 0) times.push(performance.now() - begin)
  }
  return { median: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

/** The time that this share of the runs did not exceed. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Runs the works in their order, so many at once. @returns seconds until the last one is done. */
export async function runAll(works: readonly (() => Promise<unknown>)[], atOnce: number): Promise<number> {
  const begin = performance.now()
  const queue = works.values()
  const worker = async () => {
    for (const work of queue) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (performance.now() - begin) / 1000
}
