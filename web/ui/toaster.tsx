import { useEffect, useRef } from 'react'
import { resolveValue, useToaster, type Toast } from 'react-hot-toast/headless'
import { classes } from './classes.ts'

/** Shows toasts in live regions, as long as the library says: 4 s, or 2 s for a success. */
export function Toaster({ label }: { label: string }) {
  const { toasts, handlers } = useToaster()
  const section = useRef<HTMLElement>(null)

  const count = toasts.length
  useEffect(() => {
    if (count === 0) return
    // Opened again, to be above a dialog that was opened after the last toast.
    section.current?.hidePopover()
    section.current?.showPopover()
  }, [count])

  return (
    <section
      ref={section}
      popover="manual"
      aria-label={label}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      className="pointer-events-none fixed inset-x-4 top-4 bottom-auto m-0 flex w-auto flex-col items-center gap-2 overflow-visible border-0 bg-transparent p-0"
    >
      {toasts
        .filter((toast) => toast.visible)
        .map((toast) => (
          <ToastBox key={toast.id} toast={toast} />
        ))}
    </section>
  )
}

function ToastBox({ toast }: { toast: Toast }) {
  return (
    <div
      {...toast.ariaProps}
      className={classes(
        'pointer-events-auto max-w-md rounded-sm border border-s-8 border-ink bg-paper px-4 py-3 font-semibold text-ink',
        EDGES[toast.type] ?? 'border-s-ink',
      )}
    >
      {resolveValue(toast.message, toast)}
    </div>
  )
}

const EDGES: Partial<Record<Toast['type'], string>> = {
  success: 'border-s-proof',
  error: 'border-s-accent',
}
