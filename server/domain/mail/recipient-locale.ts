import { DEFAULT_LOCALE, type Locale, localeNamed } from '#contract/locales.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Mail } from './compose.ts'
import type { QueuedMail } from './send-later.ts'
import { type MailContext, render, type Templates } from './templates.ts'

/** Renders a queued email in the language of whoever gets it, as it is now. */
export async function renderForRecipient(
  db: Database,
  queued: QueuedMail,
  templates: Templates,
  context: MailContext,
): Promise<Mail> {
  return render(queued, templates, context, await localeOfRecipient(db, queued))
}

/** An email names its language only where the recipient has no account. By the unique index of email_key. */
async function localeOfRecipient(db: Database, { to, locale }: QueuedMail): Promise<Locale> {
  if (locale !== undefined) return localeNamed(locale) ?? DEFAULT_LOCALE
  const user = await db
    .selectFrom('users')
    .select('locale')
    .where('email_key', '=', to.toLowerCase())
    .executeTakeFirst()
  return localeNamed(user?.locale) ?? DEFAULT_LOCALE
}
