/** Distance of the pointer at which the eyes are turned furthest. */
const FULL_TURN_PX = 480

const HOP = [
  { translate: '0 0' },
  { translate: '0 -22%', easing: 'ease-in', offset: 0.45 },
  { translate: '0 0' },
]

/** Makes the mascot Pip look at the pointer, and hop after a copy. @returns a function that ends this. */
export function animatePip(): () => void {
  const controller = new AbortController()
  const { signal } = controller
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
    const pip = document.querySelector<SVGElement>('.pip-looks')
    if (pip && matchMedia('(hover: hover)').matches) followPointer(pip, signal)
    document.addEventListener('copied', hop, { signal })
  }
  return () => controller.abort()
}

function hop(): void {
  for (const pip of document.querySelectorAll('.pip-hops'))
    pip.animate(HOP, { duration: 420, easing: 'ease-out' })
}

function followPointer(pip: SVGElement, signal: AbortSignal): void {
  let frame = 0
  const turnEyes = ({ clientX, clientY }: PointerEvent) => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      const { left, top, width, height } = pip.getBoundingClientRect()
      pip.style.setProperty('--look-x', turnFor(clientX - left - width / 2))
      pip.style.setProperty('--look-y', turnFor(clientY - top - height / 2))
    })
  }
  document.addEventListener('pointermove', turnEyes, { passive: true, signal })
}

/** How far the eyes are turned along an axis, from -1 to 1. */
const turnFor = (distancePx: number) => Math.max(-1, Math.min(1, distancePx / FULL_TURN_PX)).toFixed(2)
