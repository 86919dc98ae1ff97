import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import {
  type Change,
  changeSettings,
  type PreviewPage,
  previewSettings,
  settings,
} from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { mayBeAdministrator } from '../dashboard-screen.tsx'

const QUERY = ['settings']

export function useSettings() {
  return useQuery({
    queryKey: QUERY,
    queryFn: async () => (await call(settings, {})).data,
    enabled: mayBeAdministrator(),
    // A refetch must not change a form that is being filled in.
    refetchOnWindowFocus: false,
  })
}

/** Saves all changes or none. After a refusal, fetches what others may have changed. */
export function useSave(onSaved?: (changes: readonly Change[]) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { revision: number; changes: Change[] }) => call(changeSettings, { body }),
    onSuccess: async ({ data, message }, { changes }) => {
      // An answer from before the change, still under way, must not replace it.
      await queries.cancelQueries({ queryKey: QUERY })
      queries.setQueryData(QUERY, data)
      toast.success(message || SETTINGS.saved)
      onSaved?.(changes)
    },
    onError: (error) => {
      void queries.invalidateQueries({ queryKey: QUERY })
      toast.error(messageOf(error, SETTINGS.notSaved))
    },
  })
}

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
