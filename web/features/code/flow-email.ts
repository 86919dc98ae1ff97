import { useState } from 'react'
import { stored } from '#web/features/session/storage.ts'

/** The e-mail of the current verification or reset; null if there is none, or it has been removed. */
export function useFlowEmail() {
  const [email, setEmail] = useState(() => stored('userEmail'))
  function current(): string | null {
    const now = stored('userEmail')
    if (now === null) setEmail(null)
    return now
  }
  return { email, current }
}
