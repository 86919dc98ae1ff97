import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { COPIED_MS, copyText } from './clipboard.ts'
import { useCopied } from './use-copied.ts'

/** Passed to the share sheet. `url` may be relative to the page. */
export type ShareContent = { title: string; text: string; url: string }

type ShareButtonProps = Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> & {
  share: ShareContent
  label: string
  copiedLabel: string
}

/** Opens the system's share sheet. Without one, copies the link, and the label confirms it for a while. */
export function ShareButton({ share, label, copiedLabel, ...button }: ShareButtonProps) {
  const [isCopied, showCopied] = useCopied(COPIED_MS)
  async function open() {
    const url = new URL(share.url, location.href).href
    if (!(await shareNatively({ ...share, url })) && (await copyText(url))) showCopied()
  }
  return (
    <Button variant="secondary" size="compact" aria-live="polite" {...button} onClick={() => void open()}>
      {isCopied ? copiedLabel : label}
    </Button>
  )
}

/** Whether the system showed its share sheet, even if the visitor closed it. */
async function shareNatively(content: ShareContent): Promise<boolean> {
  if (!('share' in navigator)) return false
  try {
    await navigator.share(content)
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
