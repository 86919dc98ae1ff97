import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react'
import { classes } from './classes.ts'

type DialogProps = {
  open: boolean
  title: string
  onClose: () => void
  className?: string
  children: ReactNode
}

/** A native modal dialog: it traps the focus, closes with Escape and restores the focus. */
export function Dialog({ open, title, onClose, className, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    if (open) element.current?.showModal()
    else element.current?.close()
  }, [open])

  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === element.current) onClose()
  }

  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={closeOnBackdrop}
      className={classes(
        'm-auto w-[min(28rem,calc(100vw-2rem))] rounded-lg border border-ink bg-paper p-0 text-ink backdrop:bg-veil',
        className,
      )}
    >
      <div className="grid gap-5 p-6">
        <h2 id={titleId} className="font-display text-2xl font-extrabold">
          {title}
        </h2>
        {open && children}
      </div>
    </dialog>
  )
}
