import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { Navigate } from 'react-router'

/** Leaves a screen that lacks what it needs, and says why. */
export function SendBack({ to, message }: { to: string; message?: string }) {
  useEffect(() => {
    // The text is the id, so that the same reason is never shown twice at once.
    if (message) toast.error(message, { id: message })
  }, [message])
  return <Navigate to={to} replace />
}
