import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'

type DialogProps = {
  open: boolean
  title: string
  onClose: () => void
  className?: string | undefined
  children: ReactNode
}

/** A native modal dialog. Escape or a click on the backdrop closes it. Children exist while it is open. */
export function Dialog({ open, title, onClose, className, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const pressedElement = useRef<EventTarget>(null)
  const titleId = useId()

  useEffect(() => {
    if (open) element.current?.showModal()
    else element.current?.close()
  }, [open])

  const closeOnBackdrop = (event: MouseEvent) => {
    // The dialog has no padding, so it is the target only of clicks on the backdrop. The press has to be
    // there too, because dragging a text selection beyond the edge ends in a click on the backdrop.
    if (event.target === element.current && pressedElement.current === element.current) onClose()
  }

  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onClose={onClose}
      onPointerDown={({ target }) => {
        pressedElement.current = target
      }}
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

type DialogButtonProps = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> & {
  label: string
  title?: string
  dialogClass?: string
  children: (close: () => void) => ReactNode
}

export function DialogButton({ label, title = label, dialogClass, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={open} title={title} onClose={close} className={dialogClass}>
        {open && children(close)}
      </Dialog>
    </>
  )
}
