import { useEffect, useState } from 'react'

/** Whether something was copied in the last `shownForMs`. Call `showCopied` after each copy. */
export function useCopied(shownForMs: number): [isCopied: boolean, showCopied: () => void] {
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), shownForMs)
    return () => clearTimeout(timer)
  }, [copiedAt, shownForMs])
  return [copiedAt !== 0, () => setCopiedAt(performance.now())]
}
