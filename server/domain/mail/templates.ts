import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Keys } from '#server/platform/secrets.ts'
import { type Mail, compose, type Part } from './mail.ts'
import type { QueuedMail } from './send-later.ts'

/** What a template may use besides the email's own values. */
export type MailContext = { campaign: CampaignFile; publicUrl: string; keys: Keys }

/** Renders one kind of mail. */
export type Template = (values: Record<string, string>, context: MailContext) => Mail

/** The templates of all features, by name. */
export type Templates = Readonly<Record<string, Template>>

/** Renders a queued email. @throws when no feature has a template of that name. */
export function render(queued: QueuedMail, templates: Templates, context: MailContext): Mail {
  const template = templates[queued.template]
  if (!template) throw new Error(`There is no mail template ${queued.template}.`)
  return template(queued.values, context)
}

/** An email to an account holder: greeted by name, signed by the campaign. */
export function letter(
  { campaign, publicUrl }: MailContext,
  username: string,
  subject: string,
  parts: readonly Part[],
): Mail {
  return compose(subject, `Hello ${username},`, parts, `${campaign.name} — ${publicUrl}`)
}
