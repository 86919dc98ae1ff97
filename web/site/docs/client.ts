import '../client.ts'

/** Here instead of in words.ts, all of which would then load with every page of the documentation. */
const COPIED = 'Copied!'
const LINK_COPIED = 'Link copied'
const NO_SEARCH = 'The search could not load. The contents list every page.'

/**
 * What the pages of the documentation do with a script: buttons that copy code, headings that copy their
 * address, and the search, which loads when it is opened. Without scripts, they can still be read.
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

// Repeats a click made before this script was loaded. Its target may be a part of the button's icon.
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
  // clipboard.ts is in a file that the islands load anyway.
  const { COPIED_MS, copyText } = await import('#web/ui/clipboard.ts')
  if (await copyText(text)) showConfirmation(control, words, COPIED_MS)
}

/** The text of a code block; of a shell session, the commands without prompts and output. */
function codeOf(button: Element): string {
  const text = button.parentElement?.querySelector('code')?.textContent ?? ''
  const commands = text.split('\n').filter((line) => line.startsWith('$ '))
  return commands.length > 0 ? `${commands.map((line) => line.slice(2)).join('\n')}\n` : text
}

const timers = new WeakMap<Element, number>()

/** Replaces the text of a control for a time, during which `data-confirmed` keeps the original text. */
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
