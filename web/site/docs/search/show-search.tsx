import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { SearchDialog } from './search-dialog.tsx'

let dialog: HTMLDialogElement | undefined

/** Opens the search, which is made when it is opened first; it keeps what was typed. */
export function showSearch(): void {
  dialog ??= createDialog()
  if (!dialog.open) dialog.showModal()
  dialog.querySelector('input')?.select()
}

function createDialog(): HTMLDialogElement {
  const place = document.body.appendChild(document.createElement('div'))
  flushSync(() => createRoot(place).render(<SearchDialog />))
  const made = place.querySelector('dialog')
  if (!made) throw new Error('The search has no dialog')
  made.addEventListener('keydown', (event) => moveFocus(made, event))
  made.addEventListener('click', ({ target }) => {
    // Beside the dialog, or on a link, which may lead to another part of this page.
    if (target === made || (target instanceof Element && target.closest('a'))) made.close()
  })
  return made
}

/** Moves between the field and the results with the arrow keys. */
function moveFocus(made: HTMLDialogElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const stops = [...made.querySelectorAll<HTMLElement>('input, .docs-result')]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  stops[Math.max(0, Math.min(at + step, stops.length - 1))]?.focus()
}
