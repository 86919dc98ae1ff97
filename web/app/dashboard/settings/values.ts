/** The text of a value's field: a string as it is, nothing for null, anything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

/** A whole number that is exact. Any other text stays as it is, because the server says what is wrong. */
export const toNumber = (text: string): number | string =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text) : text

export const joinLines = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)

/** The lines of a text. An empty last line stays, because someone is about to fill it. */
export const splitLines = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** An ISO time for a `datetime-local` input, in the reader's time zone; empty for any other value. */
export function toLocal(value: unknown): string {
  const at = new Date(textOf(value))
  if (Number.isNaN(at.getTime())) return ''
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** The ISO time (UTC) for the value of a `datetime-local` input; undefined if that is empty or incomplete. */
export function fromLocal(text: string): string | undefined {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace('.000Z', 'Z')
}
