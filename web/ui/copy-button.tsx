import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { copyText } from './clipboard.ts'
import { useShownFor } from './use-shown-for.ts'

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
  const [isCopied, showCopied] = useShownFor(shownFor)

  async function copy() {
    if (!(await copyText(text))) return
    showCopied()
    onCopied?.()
  }

  return (
    <Button variant="secondary" size="compact" aria-live="polite" {...button} onClick={() => void copy()}>
      {isCopied ? copiedLabel : label}
    </Button>
  )
}
