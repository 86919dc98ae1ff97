import { useEffect, useState } from 'react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { copyText } from './clipboard.ts'

type CopyButtonProps = Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> & {
  text: string
  label: string
  copiedLabel: string
  /** How long the label says that it was copied, in milliseconds. */
  shownFor: number
  onCopied?: () => void
}

/** Copies `text` and says so in its own label for a while. */
export function CopyButton({ text, label, copiedLabel, shownFor, onCopied, ...button }: CopyButtonProps) {
  const [copiedAt, setCopiedAt] = useState(0)

  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), shownFor)
    return () => clearTimeout(timer)
  }, [copiedAt, shownFor])

  async function copy() {
    if (!(await copyText(text))) return
    setCopiedAt(performance.now())
    onCopied?.()
  }

  return (
    <Button variant="secondary" size="compact" aria-live="polite" {...button} onClick={() => void copy()}>
      {copiedAt === 0 ? label : copiedLabel}
    </Button>
  )
}
