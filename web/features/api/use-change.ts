import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { messageOf } from './api-error.ts'

type Change<Args, Reply> = {
  /**
   * Keys of the queries that the call affects. They are read again afterwards, also after a refusal; until
   * then, the change is pending.
   */
  affects: readonly QueryKey[]
  send: (args: Args) => Promise<Reply>
  onDone?: ((reply: Reply) => void) | undefined
  /** What is said of a reply; by default its message. */
  reportOf?: (reply: Reply) => string
  /** Said when the server sends no message. */
  failed: string
}

/** A call that changes something and says how it went. A form shows refused fields itself. */
export function useChange<Args, Reply extends { message: string }>(change: Change<Args, Reply>) {
  const { affects, send, onDone, reportOf = ({ message }) => message, failed } = change
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (reply) => {
      toast.success(reportOf(reply))
      onDone?.(reply)
    },
    onError: (error) => void toast.error(messageOf(error, failed)),
    onSettled: () => Promise.all(affects.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}
