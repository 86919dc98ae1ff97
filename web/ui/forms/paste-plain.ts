import type { ClipboardEvent } from 'react'

/** What nobody sees, other than line breaks and the joiners of emoji. Those who paste it do not know of it. */
const INVISIBLE = /(?![\n\r\u200d])[\p{Cc}\p{Cf}]/gu

/**
 * For addresses, and for fields of `plainText` in the contract, which refuses invisible characters: pastes a
 * tab as a space, and leaves out the others, such as the direction marks and soft hyphens of chats and
 * documents.
 */
export function pastePlain(event: ClipboardEvent): void {
  const copied = event.clipboardData.getData('text/plain')
  const plain = copied.replaceAll('\t', ' ').replaceAll(INVISIBLE, '')
  if (plain === copied) return
  event.preventDefault()
  // Nothing else can insert text so that Undo still works.
  document.execCommand('insertText', false, plain)
}
