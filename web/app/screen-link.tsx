import type { ComponentProps, MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/**
 * A link to a screen of the application, followed without loading a page. The router's own link would bring
 * its data loading along, which nothing here uses.
 */
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

/** Any other click is for the browser: a new tab, a download, a menu. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
