import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate, useLocation } from '#web/features/navigation/location.ts'
import { insights, insightsFile, type InsightTable } from '#contract/dashboard/insights.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { fileNameOf } from '#web/content/dashboard/insights.ts'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { readStored } from '#web/features/session/storage.ts'

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
      saveAs(await fetchTable(table, { from, to, by }), fileNameOf(table, from, to))
    } catch (error) {
      console.error(error)
      toast.error(messageOf(error, INSIGHTS.downloadFailed))
    } finally {
      setPending(false)
    }
  }
  return { isPending, download: () => void download() }
}

async function fetchTable(table: InsightTable, range: Required<Range>): Promise<Blob> {
  const path = insightsFile.path.replace(':table', table)
  const response = await fetch(`${API_BASE}${path}?${String(new URLSearchParams(range))}`, {
    headers: { authorization: `Bearer ${readStored('token') ?? ''}` },
    credentials: 'include',
    cache: 'no-store',
  })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return response.blob()
}

function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
