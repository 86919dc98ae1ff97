import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SECURITY } from '#messages/dashboard-security.js'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Copy } from '../copy.tsx'

type CodesButtonProps = {
  variant: 'primary' | 'secondary'
  label: string
  title: string
  /** The form; it passes new codes to `showCodes`. */
  children: (showCodes: (codes: readonly string[]) => void, close: () => void) => ReactNode
}

/** A button with the dialog that it opens: a form, then the recovery codes that it results in. */
export function CodesButton({ variant, label, title, children }: CodesButtonProps) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  function close() {
    setOpen(false)
    setCodes(undefined)
    void queries.invalidateQueries()
  }
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {/* Opens again for codes that arrive after it was closed: they cannot be shown a second time. */}
      <Dialog
        open={isOpen || codes !== undefined}
        title={codes ? SECURITY.codesTitle : title}
        onClose={close}
      >
        {codes ? <RecoveryCodes codes={codes} onClose={close} /> : children(setCodes, close)}
      </Dialog>
    </>
  )
}

/** Shows new recovery codes, which cannot be shown again. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <div className="grid gap-5">
      <p>{SECURITY.codes}</p>
      <ul className="figures grid grid-cols-2 gap-x-6 gap-y-1 rounded-sm border border-outline p-4">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Copy size="normal" text={codes.join('\n')} label={SECURITY.copy} />
        <Button onClick={onClose}>{SECURITY.done}</Button>
      </div>
    </div>
  )
}
