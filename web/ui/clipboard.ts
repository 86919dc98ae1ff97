import { useEffect, useState } from 'react'

/** How long a control confirms a copy. */
export const COPIED_MS = 2_000

/** Copies a text and dispatches a `copied` event. Resolves to whether it worked; failures are only logged. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    document.dispatchEvent(new Event('copied'))
    return true
  } catch (error) {
    console.error('Copy failed', error)
    return false
  }
}

/** Whether something was copied in the last `shownFor` milliseconds, and a function that says that it was. */
export function useCopied(shownFor: number): [isCopied: boolean, showCopied: () => void] {
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), shownFor)
    return () => clearTimeout(timer)
  }, [copiedAt, shownFor])
  return [copiedAt !== 0, () => setCopiedAt(performance.now())]
}
