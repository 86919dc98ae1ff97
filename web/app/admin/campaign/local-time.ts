/** A time as `<input type="datetime-local">` has it, in the reader's time zone, to the minute. @param iso An ISO time. */
export function toLocal(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The ISO time, in UTC, of a time that was typed in the reader's time zone. */
export const fromLocal = (typed: string): string => new Date(typed).toISOString()
