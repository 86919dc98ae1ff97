import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate, useLocation } from '#web/features/navigation/location.ts'
import { insights, insightsFile, type InsightTable } from '#contract/dashboard/insights.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { fetchFile, saveAs } from '#web/features/api/save-file.ts'

/** The range of the figures, kept in the URL; without days, the server's last four weeks. */
export type Range = { from?: string; to?: string; by: 'day' | 'week' }

const DAY = /^\d{4}-\d\d-\d\d$/
/** Figures that are looked at stay fresh. */
const REFRESH_MS = 60_000

export function useRange(): { range: Range; show: (range: Range) => void } {
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  const range: Range = {
    by: params.get('by') === 'week' ? 'week' : 'day',
    ...(DAY.test(from) ? { from } : {}),
    ...(DAY.test(to) ? { to } : {}),
  }
  return {
    range,
    show: (next) => navigate(`${pathname}?${String(new URLSearchParams(next))}`),
  }
}

/** The figures of a range. Those of the last range stay until the next ones have arrived. */
export function useInsights(range: Range, enabled: boolean) {
  return useQuery({
    queryKey: ['insights', range],
    queryFn: async () => (await call(insights, { query: range })).data,
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

/** Downloads a table through a call, because a link would not send the session’s token. */
export function useDownload(table: InsightTable, { from, to, by }: Required<Range>) {
  const [isPending, setPending] = useState(false)
  async function download() {
    setPending(true)
    try {
      const path = insightsFile.path.replace(':table', table)
      const file = await fetchFile(`${path}?${String(new URLSearchParams({ from, to, by }))}`)
      const name = table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      saveAs(file, `${name}-${from}-${to}.csv`)
    } catch (error) {
      console.error(error)
      toast.error(messageOf(error, DASHBOARD_WORDS.downloadFailed))
    } finally {
      setPending(false)
    }
  }
  return { isPending, download: () => void download() }
}
