/** Pointer distance in pixels at which the eyes are turned furthest. */
const FAR = 480

const HOP = [
  { translate: '0 0' },
  { translate: '0 -22%', easing: 'ease-in', offset: 0.45 },
  { translate: '0 0' },
]

/**
 * Makes Pip's eyes follow the pointer and Pip hop when something is copied, until the returned function is
 * called. Both respect reduced motion. print.css animates sleeping and waking.
 */
export function bringPipToLife(): () => void {
  const stop = new AbortController()
  const { signal } = stop
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
    const looking = document.querySelector<SVGElement>('.pip-looks')
    if (looking && matchMedia('(hover: hover)').matches) followPointer(looking, signal)
    document.addEventListener('copied', hop, { signal })
  }
  return () => stop.abort()
}

function hop(): void {
  for (const pip of document.querySelectorAll('.pip-hops'))
    pip.animate(HOP, { duration: 420, easing: 'ease-out' })
}

function followPointer(pip: SVGElement, signal: AbortSignal): void {
  let due = 0
  const look = ({ clientX, clientY }: PointerEvent) => {
    cancelAnimationFrame(due)
    due = requestAnimationFrame(() => {
      const { left, top, width, height } = pip.getBoundingClientRect()
      pip.style.setProperty('--look-x', near(clientX - left - width / 2))
      pip.style.setProperty('--look-y', near(clientY - top - height / 2))
    })
  }
  document.addEventListener('pointermove', look, { passive: true, signal })
}

const near = (pixels: number) => Math.max(-1, Math.min(1, pixels / FAR)).toFixed(2)
