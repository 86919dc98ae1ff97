import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { messageOf } from '#web/features/api/api-error.ts'

type Change<Args, Reply> = {
  /** The queries that it affects: read again afterwards, also after a refusal. */
  queryKey: QueryKey
  send: (args: Args) => Promise<Reply>
  onDone?: ((reply: Reply) => void) | undefined
  /** What is said of a reply instead of its message. */
  reportOf?: (reply: Reply) => string
}

/** A call that changes something and says how it went. A form shows refused fields itself. */
export function useChange<Args, Reply extends { message: string }>(change: Change<Args, Reply>) {
  const { queryKey, send, onDone, reportOf = ({ message }) => message } = change
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (reply) => {
      toast.success(reportOf(reply))
      onDone?.(reply)
    },
    onError: (error) => toast.error(messageOf(error, DASHBOARD_WORDS.notDone)),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}
