import { useState } from 'react'
import { stored } from '#web/features/session/storage.ts'

/**
 * The e-mail of the verification or reset that is under way. `email` is null when there is none, or when
 * it has gone by the time `current` asks for it again.
 */
export function useFlowEmail() {
  const [email, setEmail] = useState(() => stored('userEmail'))
  function current(): string | null {
    const now = stored('userEmail')
    if (now === null) setEmail(null)
    return now
  }
  return { email, current }
}
