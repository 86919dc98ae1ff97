import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Keys } from '../platform/secrets.ts'
import type { Mail } from './mail.ts'
import type { QueuedMail } from './send-later.ts'

/** What every template may use when its mail leaves. */
export type MailContext = { campaign: CampaignFile; publicUrl: string; keys: Keys }

/** Fills in one kind of mail. */
export type Template = (values: Record<string, string>, context: MailContext) => Mail

/** The templates of all features by name. */
export type Templates = Readonly<Record<string, Template>>

/** The mail behind a queued one. @throws when no feature has a template of that name. */
export function render(queued: QueuedMail, templates: Templates, context: MailContext): Mail {
  const template = templates[queued.template]
  if (!template) throw new Error(`There is no mail template ${queued.template}.`)
  return template(queued.values, context)
}
