import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { COPIED_MS, copyText } from './clipboard.ts'
import { useCopied } from './use-copied.ts'

type CopyButtonProps = Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> & {
  text: string
  label: string
  /** What is copied, for screen readers. */
  contentName?: string
  copiedLabel: string
  shownForMs?: number
  onCopied?: (() => void) | undefined
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, contentName, copiedLabel, shownForMs = COPIED_MS, onCopied, ...button } = props
  const [isCopied, showCopied] = useCopied(shownForMs)

  async function copy() {
    if (!(await copyText(text))) return
    showCopied()
    onCopied?.()
  }

  return (
    <Button variant="secondary" size="compact" aria-live="polite" {...button} onClick={() => void copy()}>
      <span>
        {isCopied ? copiedLabel : label}
        {contentName && <span className="sr-only"> {contentName}</span>}
      </span>
    </Button>
  )
}
