import { type Change, changeSettings, type Settings, settings } from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { call } from '#web/features/api/call.ts'
import { type StateChange, useStateChange } from '../api/use-change.ts'

/** Shared by the screens of the settings and of the look, and by the setup. */
export const SETTINGS_QUERY = {
  queryKey: ['settings'],
  queryFn: async () => (await call(settings, {})).data,
}

type Changes = { revision: number; changes: Change[] }
type SaveOptions = Pick<StateChange<Changes, Settings>, 'onDone' | 'reportOf' | 'fallback'>

/** Saves all changes or none. After a refusal, refetches the settings, which others may have changed. */
export const useSaveSettings = (options: SaveOptions = {}) =>
  useStateChange({
    queryKey: SETTINGS_QUERY.queryKey,
    send: (body: Changes) => call(changeSettings, { body }),
    reportOf: ({ message }) => message || SETTINGS.saved,
    fallback: SETTINGS.notSaved,
    ...options,
  })
