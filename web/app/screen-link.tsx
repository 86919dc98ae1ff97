import type { ComponentProps, MouseEvent } from 'react'
import { navigate } from '#web/features/navigation/location.ts'

/** Opens a screen without loading the page again. */
export function ScreenLink({ href = '', children, ...link }: Omit<ComponentProps<'a'>, 'onClick'>) {
  function follow(event: MouseEvent) {
    if (!isPlainClick(event)) return
    event.preventDefault()
    navigate(href)
  }

  return (
    <a {...link} href={href} onClick={follow}>
      {children}
    </a>
  )
}

/** Whether a click opens the screen here. The browser handles the others, such as a click for a new tab. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
