import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Deps } from '#server/deps.ts'
import type { Keys } from '#server/platform/secrets.ts'
import { branded } from './branded.ts'
import { compose, type Part } from './compose.ts'
import type { Mail } from './mail.ts'
import type { QueuedMail } from './send-later.ts'

/** What a template may use besides the email's own values. */
export type MailContext = { readonly campaign: CampaignFile; publicUrl: string; keys: Keys }

/** Of the campaign as it is when an email is rendered. */
export const mailContext = (deps: Pick<Deps, 'campaign' | 'keys'>, publicUrl: string): MailContext => ({
  get campaign() {
    return deps.campaign
  },
  publicUrl,
  keys: deps.keys,
})

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
  context: MailContext,
  username: string,
  subject: string,
  parts: readonly Part[],
): Mail {
  const { campaign, publicUrl } = context
  const blocks = [`Hello ${username},`, ...parts, `${campaign.name} — ${publicUrl}`]
  return branded(compose(subject, blocks), context)
}
