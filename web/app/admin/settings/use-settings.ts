import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Change, type PreviewPage, previewSettings } from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { call } from '#web/features/api/call.ts'
import { mayBeAdministrator } from '../dashboard-screen.tsx'
import { useDebounced } from '../use-debounced.ts'
import { type SaveOptions, SETTINGS_QUERY, useSaveSettings } from './use-save-settings.ts'

export function useSettings() {
  return useQuery({
    ...SETTINGS_QUERY,
    enabled: mayBeAdministrator(),
    // A refetch must not change a form that is being filled in.
    refetchOnWindowFocus: false,
  })
}

export const useSave = (options: Pick<SaveOptions, 'onDone'> = {}) =>
  useSaveSettings({
    ...options,
    reportOf: ({ message }) => message || SETTINGS.saved,
    fallback: SETTINGS.notSaved,
  })

/** How long the drafts have to stay the same before the preview is fetched again. */
const DEBOUNCE_MS = 500

/** The HTML of a page with the drafts: the previous HTML until it is fetched, none if drafts are refused. */
export function usePreview(page: PreviewPage, changes: readonly Change[]) {
  const settledKey = useDebounced(JSON.stringify([page, changes]), DEBOUNCE_MS)
  return useQuery({
    queryKey: ['settings-preview', settledKey],
    queryFn: async () => {
      const [settledPage, settledChanges] = JSON.parse(settledKey) as [PreviewPage, Change[]]
      return (await call(previewSettings, { body: { page: settledPage, changes: settledChanges } })).data.html
    },
    placeholderData: keepPreviousData,
    // Every edit has a preview of its own, a whole page: old ones are not kept.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}
