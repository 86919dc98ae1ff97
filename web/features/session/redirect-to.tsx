import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'

/** Redirects, with a toast if there is a message. The route guard of screens. */
export function RedirectTo({ to, message }: { to: string; message?: string }) {
  useEffect(() => {
    // The id is the message, so that the toast is not shown twice at once.
    if (message) toast.error(message, { id: message })
  }, [message])
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
