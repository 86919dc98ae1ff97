import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type Change,
  changeSettings,
  type PreviewPage,
  previewSettings,
  type Settings,
  settings,
} from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { call } from '#web/features/api/call.ts'
import { useDebounced } from '../use-debounced.ts'
import { type StateChange, useStateChange } from '../use-change.ts'

/** The settings, read by the screens of the settings and of the look, and by the setup. */
export const SETTINGS_QUERY = {
  queryKey: ['settings'],
  queryFn: async () => (await call(settings, {})).data,
}

export function useSettings() {
  return useQuery({
    ...SETTINGS_QUERY,
    // A refetch must not change a form that is being filled in.
    refetchOnWindowFocus: false,
  })
}

type Changes = { revision: number; changes: Change[] }
type SaveOptions = Pick<StateChange<Changes, Settings>, 'onDone' | 'reportOf' | 'fallback'>

/** Saves all changes or none. After a refusal, fetches what others may have changed. */
export const useSaveSettings = (options: SaveOptions = {}) =>
  useStateChange({
    queryKey: SETTINGS_QUERY.queryKey,
    send: (body: Changes) => call(changeSettings, { body }),
    reportOf: ({ message }) => message || SETTINGS.saved,
    fallback: SETTINGS.notSaved,
    ...options,
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
