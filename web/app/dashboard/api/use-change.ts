import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { fieldsOf, messageOf } from '#web/features/api/api-error.ts'
import { useChange as useAnyChange } from '#web/features/api/use-change.ts'

type ChangeOptions<Reply> = {
  onDone?: ((reply: Reply) => void) | undefined
  /** The toast after a success; by default the message of the reply. */
  reportOf?: (reply: Reply) => string
}

/** A change made in the dashboard. @param queryKey of the queries that the change affects. */
export const useChange = <Args, Reply extends { message: string }>(
  queryKey: QueryKey,
  send: (args: Args) => Promise<Reply>,
  options: ChangeOptions<Reply> = {},
) => useAnyChange({ ...options, send, affects: [queryKey], fallback: DASHBOARD_WORDS.notDone })

export type StateReply<Data> = { data: Data; message: string }

export type StateChange<Args, Data> = {
  /** The key of the query whose data the reply replaces. */
  queryKey: QueryKey
  /** The keys of all queries that the change affects, including `queryKey`; by default only `queryKey`. */
  affects?: readonly QueryKey[]
  send: (args: Args) => Promise<StateReply<Data>>
  onDone?: ((reply: StateReply<Data>, args: Args) => void) | undefined
  /** The toast after a success; by default the message of the reply. */
  reportOf?: (reply: StateReply<Data>) => string
  /** The toast after an error without a message from the server. */
  fallback?: string
}

/** A change made in the dashboard, with the new state as its reply. After an error, refetches the state. */
export function useStateChange<Args, Data>(change: StateChange<Args, Data>) {
  const { queryKey, affects, send, onDone } = change
  const { reportOf = ({ message }) => message, fallback = DASHBOARD_WORDS.notDone } = change
  const queries = useQueryClient()
  const readAgain = (keys: readonly QueryKey[]) => {
    for (const key of keys) void queries.invalidateQueries({ queryKey: key })
  }
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: async (reply, args) => {
      // A pending reply must not replace the new state.
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, reply.data)
      readAgain(affects ?? [])
      toast.success(reportOf(reply))
      onDone?.(reply, args)
    },
    onError: (error) => {
      readAgain(affects ?? [queryKey])
      toast.error(messageOf(error, fallback))
    },
  })
  return { ...mutation, errors: fieldsOf(mutation.error) }
}
