import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
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
import { mayBeAdministrator } from '../dashboard-screen.tsx'
import { useStateChange } from '../use-change.ts'

/** The settings, read by this screen and by that of the look. */
export const SETTINGS_QUERY = {
  queryKey: ['settings'],
  queryFn: async () => (await call(settings, {})).data,
}

export function useSettings() {
  return useQuery({
    ...SETTINGS_QUERY,
    enabled: mayBeAdministrator(),
    // A refetch must not change a form that is being filled in.
    refetchOnWindowFocus: false,
  })
}

type SaveOptions = Partial<
  Pick<Parameters<typeof useStateChange<Changes, Settings>>[0], 'onDone' | 'reportOf' | 'failed'>
>
type Changes = { revision: number; changes: Change[] }

/** Saves all changes or none. After a refusal, fetches what others may have changed. */
export const useSave = (options: SaveOptions = {}) =>
  useStateChange({
    queryKey: SETTINGS_QUERY.queryKey,
    send: (body: Changes) => call(changeSettings, { body }),
    reportOf: ({ message }) => message || SETTINGS.saved,
    failed: SETTINGS.notSaved,
    ...options,
  })

/** Milliseconds without a change after which the preview is drawn again. */
const DEBOUNCE_MS = 500

/** The HTML of a page with the drafts; the previous one while it is being fetched, none if it is refused. */
export function usePreview(page: PreviewPage, changes: readonly Change[]) {
  const key = JSON.stringify([page, changes])
  const [asked, setAsked] = useState(key)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(key), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [key])
  return useQuery({
    queryKey: ['settings-preview', asked],
    queryFn: async () => {
      const [askedPage, askedChanges] = JSON.parse(asked) as [PreviewPage, Change[]]
      return (await call(previewSettings, { body: { page: askedPage, changes: askedChanges } })).data.html
    },
    placeholderData: (before) => before,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}
