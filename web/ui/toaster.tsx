import { resolveValue, useToaster } from 'react-hot-toast/headless'
import type { Toast } from 'react-hot-toast/headless'
import { classes } from './classes.ts'

/** Shows toasts: 4 s for a plain one and an error, 2 s for a success, at most 20 (the library's own defaults). */
export function Toaster({ label }: { label: string }) {
  const { toasts, handlers } = useToaster()
  return (
    <section
      aria-label={label}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      className="pointer-events-none fixed inset-x-4 top-4 z-50 flex flex-col items-center gap-2"
    >
      {toasts
        .filter((toast) => toast.visible)
        .map((toast) => (
          <Slip key={toast.id} toast={toast} />
        ))}
    </section>
  )
}

function Slip({ toast }: { toast: Toast }) {
  return (
    <div
      {...toast.ariaProps}
      className={classes(
        'pointer-events-auto max-w-md rounded-sm border border-ink border-s-8 bg-paper px-4 py-3 font-semibold text-ink ',
        EDGES[toast.type] ?? 'border-s-ink',
      )}
    >
      {resolveValue(toast.message, toast)}
    </div>
  )
}

const EDGES: Partial<Record<Toast['type'], string>> = {
  success: 'border-s-proof',
  error: 'border-s-signal',
}
