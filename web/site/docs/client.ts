import '../client.ts'

/** The words here alone: this script loads with every page of the documentation. */
const COPIED = 'Copied!'
const LINK_COPIED = 'Link copied'

/**
 * What the pages of the documentation do with a script: buttons that copy code, headings that copy their address, and
 * the search, which loads when it is opened. Without it, they are read as they are.
 */
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const button = target.closest<HTMLElement>('.docs-copy')
  if (button) void copy(codeOf(button), button, COPIED)
  const anchor = target.closest<HTMLAnchorElement>('.docs-anchor')
  if (anchor) void copy(anchor.href, anchor, LINK_COPIED)
  if (target.closest('[data-docs-search]')) void openSearch()
})

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
    return
  event.preventDefault()
  void openSearch()
})

// A click before this script came.
const early = window.earlyClick
if (early instanceof HTMLElement && early.closest('.docs-copy, [data-docs-search]')) early.click()

async function openSearch(): Promise<void> {
  const { showSearch } = await import('./search/search-dialog.tsx')
  showSearch()
}

async function copy(text: string, confirming: HTMLElement, words: string): Promise<void> {
  // In a file that the islands load anyway.
  const { COPIED_MS, copyText } = await import('#web/ui/clipboard.ts')
  if (await copyText(text)) confirm(confirming, words, COPIED_MS)
}

/** Only the commands of a dialog with the shell, without what they answered. */
function codeOf(button: Element): string {
  const text = button.parentElement?.querySelector('code')?.textContent ?? ''
  const commands = text.split('\n').filter((line) => line.startsWith('$ '))
  return commands.length > 0 ? `${commands.map((line) => line.slice(2)).join('\n')}\n` : text
}

const confirmed = new WeakMap<Element, { timer: number; before: string }>()

/** Replaces the text of a control for that many milliseconds. */
function confirm(control: HTMLElement, words: string, shownFor: number): void {
  const last = confirmed.get(control)
  if (last) clearTimeout(last.timer)
  const before = last?.before ?? control.textContent
  control.textContent = words
  control.dataset['confirmed'] = ''
  const timer = window.setTimeout(() => {
    control.textContent = before
    delete control.dataset['confirmed']
    confirmed.delete(control)
  }, shownFor)
  confirmed.set(control, { timer, before })
}
