import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import type { Latencies, LoadResult } from './load.ts'

/** Counts answers and their latencies by status. Percentiles are exact to three digits (HdrHistogram). */
export function createRecorder() {
  const all = newHistogram()
  const byStatus = new Map<string, RecordableHistogram>()
  const failures = new Map<string, number>()

  return {
    countAnswer(status: string, ms: number) {
      const micros = Math.max(1, Math.round(ms * 1_000))
      all.record(micros)
      const histogram = byStatus.get(status) ?? newHistogram()
      byStatus.set(status, histogram)
      histogram.record(micros)
    },
    /** @param reason why a request has no answer; `statuses` counts it like a status. */
    countFailure(reason: string) {
      failures.set(reason, (failures.get(reason) ?? 0) + 1)
    },
    summarize(seconds: number): Omit<LoadResult, 'unsent' | 'generatorBusy'> {
      const answerCounts = [...byStatus].map(([status, { count }]) => [status, count] as const)
      const latencies = [...byStatus].map(([status, histogram]) => [status, latenciesOf(histogram)] as const)
      return {
        seconds,
        perSecond: all.count / seconds,
        ...latenciesOf(all),
        statuses: Object.fromEntries([...answerCounts, ...failures]),
        byStatus: Object.fromEntries(latencies),
      }
    },
  }
}

/** In microseconds, up to ten minutes. */
const newHistogram = () => createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 })

function latenciesOf(histogram: RecordableHistogram): Latencies {
  const percentile = (percent: number) => histogram.percentile(percent) / 1_000
  return { p50: percentile(50), p99: percentile(99), max: histogram.count === 0 ? 0 : histogram.max / 1_000 }
}
