import { type Change, changeSettings, type Settings, settings } from '#contract/dashboard/settings.ts'
import { call } from '#web/features/api/call.ts'
import { useStateChange } from '../use-change.ts'

/** The settings, read by their screen, by that of the look, and by the setup. */
export const SETTINGS_QUERY = {
  queryKey: ['settings'],
  queryFn: async () => (await call(settings, {})).data,
}

type Changes = { revision: number; changes: Change[] }
type StateChange = Parameters<typeof useStateChange<Changes, Settings>>[0]
export type SaveOptions = Pick<StateChange, 'onDone'> & Required<Pick<StateChange, 'reportOf' | 'failed'>>

/** Saves all changes or none. After a refusal, fetches what others may have changed. */
export const useSaveSettings = (options: SaveOptions) =>
  useStateChange({
    queryKey: SETTINGS_QUERY.queryKey,
    send: (body: Changes) => call(changeSettings, { body }),
    ...options,
  })
