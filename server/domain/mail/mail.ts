/** A rendered email. */
export type Mail = {
  subject: string
  text: string
  html: string
  /** Headers besides those of every email. */
  headers?: Record<string, string>
}
