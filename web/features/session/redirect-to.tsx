import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { Navigate } from 'react-router'

/** Redirects from a screen whose requirements are not met, with a reason. */
export function RedirectTo({ to, message }: { to: string; message?: string }) {
  useEffect(() => {
    // The message is the toast's id, so that it is not shown twice at once.
    if (message) toast.error(message, { id: message })
  }, [message])
  return <Navigate to={to} replace />
}
