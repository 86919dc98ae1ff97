import type { QueryKey } from '@tanstack/react-query'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { useChange as useAnyChange } from '#web/features/api/use-change.ts'

type Change<Args, Reply> = Omit<
  Parameters<typeof useAnyChange<Args, Reply & { message: string }>>[0],
  'affects' | 'failed'
> & { queryKey: QueryKey }

/** A change of the dashboard. @param change.queryKey of the queries that it affects. */
export const useChange = <Args, Reply extends { message: string }>({
  queryKey,
  ...change
}: Change<Args, Reply>) =>
  useAnyChange<Args, Reply>({ ...change, affects: [queryKey], failed: DASHBOARD_WORDS.notDone })
