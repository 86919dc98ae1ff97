import { compose, type Mail, type Part } from './mail.ts'
import type { MailContext } from './templates.ts'

/** An email to an account holder: greeted by name, signed by the campaign. */
export function letter(
  { campaign, publicUrl }: MailContext,
  username: string,
  subject: string,
  parts: readonly Part[],
): Mail {
  return compose(subject, `Hello ${username},`, parts, `${campaign.name} — ${publicUrl}`)
}
