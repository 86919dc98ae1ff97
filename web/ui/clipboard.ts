/** Copies a text, and tells the page by an event `copied`. A failure is only logged: nobody can do anything about it. Resolves to whether it worked. */
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
