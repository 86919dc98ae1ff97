import { useEffect, useRef, useState, type RefObject } from 'react'

/** The current width of an element in pixels. Charts are drawn in pixels, so that text keeps its size. */
export function useWidth<E extends Element>(initial: number): { ref: RefObject<E | null>; width: number } {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(initial)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(entry.contentRect.width)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
