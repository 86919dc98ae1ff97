import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { navigate, useLocation, useParam } from '#web/features/navigation/location.ts'
import { withQuery } from '#web/features/navigation/with-query.ts'
import { insights, insightsFile, type InsightTable } from '#contract/dashboard/insights.ts'
import { call } from '#web/features/api/call.ts'
import { useDownload } from '../use-download.ts'

/** The range of the figures, kept in the URL. Without days, the server chooses the last four weeks. */
export type Range = { from?: string; to?: string; by: 'day' | 'week' }

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/
const POLL_MS = 60_000

export function useRange(): { range: Range; changeRange: (range: Range) => void } {
  const { pathname } = useLocation()
  const [from, to] = [useParam('from'), useParam('to')]
  const range: Range = {
    by: useParam('by') === 'week' ? 'week' : 'day',
    ...(DAY_PATTERN.test(from) ? { from } : {}),
    ...(DAY_PATTERN.test(to) ? { to } : {}),
  }
  return { range, changeRange: (next) => navigate(withQuery(pathname, next)) }
}

/** The figures of a range; until they arrive, those of the previous range. */
export function useInsights(range: Range) {
  return useQuery({
    queryKey: ['insights', range],
    queryFn: async () => (await call(insights, { query: range })).data,
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })
}

export function useTableDownload(table: InsightTable, { from, to, by }: Required<Range>) {
  const { isPending, mutate } = useDownload()
  const name = table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const download = () =>
    mutate({
      endpoint: insightsFile,
      params: { table },
      query: { from, to, by },
      name: `${name}-${from}-${to}.csv`,
    })
  return { isPending, download }
}
