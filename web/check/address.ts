import { ADDRESS_ERRORS } from '#messages/check.js'

/** Reads a node's address. @returns its URL, or why it is invalid or the page's policy forbids it. */
export function readAddress(typed: string): { url: string } | { error: string } {
  const text = typed.trim()
  if (!URL.canParse(text)) return { error: ADDRESS_ERRORS.malformed }
  const { protocol, hostname, username, password, href } = new URL(text)
  if (username !== '' || password !== '') return { error: ADDRESS_ERRORS.credentials }
  if (protocol === 'http:' && hostname === 'localhost') return { error: ADDRESS_ERRORS.localhost }
  if (protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')) return { url: href }
  return { error: ADDRESS_ERRORS.insecure }
}
