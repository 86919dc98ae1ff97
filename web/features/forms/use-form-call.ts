import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { fieldsOf, messageOf } from '#web/features/api/api-error.ts'

type FormCall<Given, Reply> = {
  send: (given: Given) => Promise<Reply>
  done: (reply: Reply, given: Given) => void
  /** Shown when the server sends no message. */
  fallback: string
  /** Handles an error itself and returns true; otherwise the error becomes a toast. */
  refused?: (error: unknown, given: Given) => boolean
}

/**
 * One call made by a form. `busy` stays true after a success: the screen is about to change, and a second
 * click must not send again.
 */
export function useFormCall<Given, Reply>({ send, done, fallback, refused }: FormCall<Given, Reply>) {
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: done,
    onError: (error, given) => {
      if (!refused?.(error, given)) toast.error(messageOf(error, fallback))
    },
  })
  useEffect(() => {
    if (mutation.error) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
  }, [mutation.error])
  return {
    submit: mutation.mutate,
    reset: mutation.reset,
    done: mutation.isSuccess,
    busy: mutation.isPending || mutation.isSuccess,
    errors: fieldsOf(mutation.error),
  }
}
