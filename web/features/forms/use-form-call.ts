import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { toast } from 'react-hot-toast/headless'
import { fieldsOf, isAbandoned, messageOf } from '#web/features/api/api-error.ts'

type FormCall<Args, Reply> = {
  send: (args: Args) => Promise<Reply>
  onSuccess: (reply: Reply, args: Args) => void
  /** The toast after an error without a message from the server. */
  fallback: string
  /** Returns true if it has handled the error. Otherwise the error is shown as a toast. */
  onError?: (error: unknown, args: Args) => boolean
}

/** A form's call. `isPending` prevents a second submit, and so stays true after a success. */
export function useFormCall<Args, Reply>({ send, onSuccess, fallback, onError }: FormCall<Args, Reply>) {
  const errorToast = useRef<string>(undefined)
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: (reply: Reply, args: Args) => {
      // The toast of an earlier error would contradict the success.
      if (errorToast.current) toast.dismiss(errorToast.current)
      onSuccess(reply, args)
    },
    onError: (error, args) => {
      // The visitor has left the form, which nothing can be shown in any more.
      if (isAbandoned(error)) return
      if (!onError?.(error, args)) errorToast.current = toast.error(messageOf(error, fallback))
    },
  })
  useEffect(() => {
    if (!mutation.error) return
    // A form behind an open dialog may still show an earlier refusal; the focus stays in the dialog.
    const scope = document.querySelector('dialog[open]') ?? document
    scope.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
  }, [mutation.error])
  return {
    submit: mutation.mutate,
    reset: mutation.reset,
    isDone: mutation.isSuccess,
    isPending: mutation.isPending || mutation.isSuccess,
    errors: fieldsOf(mutation.error),
  }
}
