import { useQuery } from '@tanstack/react-query'
import { myTask } from '#contract/tasks.ts'
import type { MyTask } from '#contract/tasks.ts'
import { call } from '#web/features/api/call.ts'
import { isLoggedIn } from '#web/features/session/session.ts'

export const MY_TASK = 'my-task'

/** How often what others decide about is looked up again, in milliseconds. */
const WAITING_MS = 15_000

/** Where the participant stands; asks nothing when nobody is logged in. A screen does without it if it fails. */
export function useMyTask() {
  return useQuery({
    queryKey: [MY_TASK],
    queryFn: async () => (await call(myTask, {})).data,
    enabled: isLoggedIn(),
    refetchInterval: ({ state }) => (mayChange(state.data) ? WAITING_MS : false),
  })
}

/** A rejection may still be taken back, and a slot come free. */
function mayChange(mine: MyTask | undefined): boolean {
  return Boolean(mine?.waiting || mine?.slot || (mine?.claim && mine.claim.status !== 'approved'))
}
