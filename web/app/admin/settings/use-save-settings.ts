import { type Change, changeSettings, type Settings, settings } from '#contract/dashboard/settings.ts'
import { call } from '#web/features/api/call.ts'
import { type StateChange, useStateChange } from '../use-change.ts'

/** The settings, read by the screens of the settings and of the look, and by the setup. */
export const SETTINGS_QUERY = {
  queryKey: ['settings'],
  queryFn: async () => (await call(settings, {})).data,
}

type Changes = { revision: number; changes: Change[] }
type SaveChange = StateChange<Changes, Settings>
export type SaveOptions = Pick<SaveChange, 'onDone'> & Required<Pick<SaveChange, 'reportOf' | 'fallback'>>

/** Saves all changes or none. After a refusal, fetches what others may have changed. */
export const useSaveSettings = (options: SaveOptions) =>
  useStateChange({
    queryKey: SETTINGS_QUERY.queryKey,
    send: (body: Changes) => call(changeSettings, { body }),
    ...options,
  })
