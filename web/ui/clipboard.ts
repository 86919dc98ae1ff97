/** How long a control confirms a copy. */
export const COPIED_MS = 2_000

/** Copies a text and makes the mascot hop (event `copied`). Returns whether it worked; failures are logged. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    document.dispatchEvent(new Event('copied'))
    return true
  } catch (error) {
    console.error('Copy failed', error)
    return false
  }
}
