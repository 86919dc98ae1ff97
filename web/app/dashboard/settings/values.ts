/** A value as the text of its field: strings as they are, nothing for null, all else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

/** The whole number that was typed. Anything else stays text, so that the server says what is wrong. */
export const toNumber = (text: string): number | string =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text) : text

export const joinLines = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)

/** The lines that were typed; an empty last line is kept, because it is about to be filled. */
export const splitLines = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** An ISO time as a `datetime-local` input takes it, in the reader's time zone; empty for any other value. */
export function toLocal(value: unknown): string {
  const at = new Date(textOf(value))
  if (Number.isNaN(at.getTime())) return ''
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** The ISO time (UTC) of a local time that was typed; undefined for an empty or incomplete field. */
export function fromLocal(text: string): string | undefined {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace('.000Z', 'Z')
}
