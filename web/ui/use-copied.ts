import { useEffect, useState } from 'react'

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
