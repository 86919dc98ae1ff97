import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { fieldsOf, messageOf } from './api-error.ts'

type Change<Args, Reply> = {
  /** Keys of the queries to refetch, even after a refusal. Until then, the change is pending. */
  affects: readonly QueryKey[]
  send: (args: Args) => Promise<Reply>
  onDone?: ((reply: Reply) => void) | undefined
  /** The toast after a success; by default the message of the reply. */
  reportOf?: (reply: Reply) => string
  /** The toast after an error without a message from the server. */
  fallback: string
}

/** A call that changes something and shows the outcome as a toast. Participants' forms use `useFormCall`. */
export function useChange<Args, Reply extends { message: string }>(change: Change<Args, Reply>) {
  const { affects, send, onDone, reportOf = ({ message }) => message, fallback } = change
  const queries = useQueryClient()
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: (reply) => {
      toast.success(reportOf(reply))
      onDone?.(reply)
    },
    onError: (error) => void toast.error(messageOf(error, fallback)),
    onSettled: () => Promise.all(affects.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
  return { ...mutation, errors: fieldsOf(mutation.error) }
}
