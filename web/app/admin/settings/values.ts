/** Turns the values of settings into what fields hold, and back. */

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)

/** What is no whole number stays text, so that the server can say so. */
export const toNumber = (text: string): number | string =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text) : text

export const joinLines = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)

/** Lines as they are typed: an empty last one is about to be filled. */
export const splitLines = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** An ISO time for a field of date and time in the reader's time zone. */
export function toLocal(value: unknown): string {
  const at = new Date(textOf(value))
  if (Number.isNaN(at.getTime())) return ''
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** @returns undefined for an empty or incomplete field. */
export function fromLocal(text: string): string | undefined {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace('.000Z', 'Z')
}
