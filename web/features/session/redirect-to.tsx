import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'

export function RedirectTo({ to, message }: { to: string; message?: string }) {
  useEffect(() => {
    // The message is the toast's id, so that it is not shown twice at once.
    if (message) toast.error(message, { id: message })
  }, [message])
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
