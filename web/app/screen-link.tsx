import type { ComponentProps, MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/** A client-side link to a screen. React Router's `Link` would add its data loading to the bundle. */
export function ScreenLink({ href = '', children, ...rest }: ComponentProps<'a'>) {
  const navigate = useNavigate()

  function follow(event: MouseEvent) {
    if (!isPlainClick(event)) return
    event.preventDefault()
    void navigate(href)
  }

  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  )
}

/** Leaves modified clicks to the browser: new tab, download, context menu. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
