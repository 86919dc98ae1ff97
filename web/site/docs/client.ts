import '../client.ts'

/** Not in words.ts, all of which would load with every page of the documentation. */
const COPIED = 'Copied!'
const LINK_COPIED = 'Link copied'
const NO_SEARCH = 'The search could not load. The table of contents has every page.'

/**
 * The script of the documentation: buttons that copy code, headings that copy their address, and the search,
 * which loads when it is opened. Without scripts, the pages can still be read.
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

// Repeats a click from before this script was loaded. Its target may be the icon in a button.
if (window.earlyClick instanceof Element)
  window.earlyClick.closest<HTMLElement>('.docs-copy, [data-docs-search]')?.click()

async function openSearch(): Promise<void> {
  try {
    const { showSearch } = await import('./search/search-dialog.tsx')
    showSearch()
  } catch (error) {
    console.error('The search failed to load', error)
    alert(NO_SEARCH)
  }
}

async function copy(text: string, control: HTMLElement, words: string): Promise<void> {
  // The islands load this file anyway.
  const { COPIED_MS, copyText } = await import('#web/ui/clipboard.ts')
  if (await copyText(text)) showConfirmation(control, words, COPIED_MS)
}

/** The text of a code block. In a shell session, only the commands, without prompts. */
function codeOf(button: Element): string {
  const text = button.parentElement?.querySelector('code')?.textContent ?? ''
  const commands = text.split('\n').filter((line) => line.startsWith('$ '))
  return commands.length > 0 ? `${commands.map((line) => line.slice(2)).join('\n')}\n` : text
}

const timers = new WeakMap<Element, number>()

/** Replaces the text of a control for some time. `data-confirmed` keeps the original text meanwhile. */
function showConfirmation(control: HTMLElement, words: string, durationMs: number): void {
  clearTimeout(timers.get(control))
  const originalText = control.dataset['confirmed'] ?? control.textContent
  control.dataset['confirmed'] = originalText
  control.textContent = words
  const restore = () => {
    control.textContent = originalText
    delete control.dataset['confirmed']
  }
  timers.set(control, window.setTimeout(restore, durationMs))
}
