const DOTS = '•••'

/** Masks an email for display: `al•••@mail.example`; one letter if the local part has fewer than five. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const local = Array.from(email.slice(0, at))
  return `${local.slice(0, local.length < 5 ? 1 : 2).join('')}${DOTS}${email.slice(at)}`
}
