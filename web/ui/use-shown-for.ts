import { useEffect, useState } from 'react'

/** True for `shownFor` milliseconds after the last `show()`. */
export function useShownFor(shownFor: number): [isShown: boolean, show: () => void] {
  const [shownAt, setShownAt] = useState(0)
  useEffect(() => {
    if (shownAt === 0) return
    const timer = setTimeout(() => setShownAt(0), shownFor)
    return () => clearTimeout(timer)
  }, [shownAt, shownFor])
  return [shownAt !== 0, () => setShownAt(performance.now())]
}
