import { useState } from 'react'
import { readStored } from '#web/features/session/storage.ts'

/** The email of the current verification or reset; null if there is none, or it has been removed. */
export function useFlowEmail() {
  const [email, setEmail] = useState(() => readStored('userEmail'))
  function current(): string | null {
    const now = readStored('userEmail')
    if (now === null) setEmail(null)
    return now
  }
  return { email, current }
}
