import { DEFAULT_LOCALE } from '#contract/locales.ts'
import type { previewAnnouncement } from '#contract/dashboard/announcements.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { contextIn, mailContext } from '../mail/templates.ts'
import { announcement, announcementBlocks } from './mail.ts'

type Draft = { subject: string; text: string; publicUrl: string; userId: string }

/** An announcement as one user would get it. Its link to unsubscribe works. */
export async function previewOf(
  deps: Deps,
  { subject, text, publicUrl, userId }: Draft,
): Promise<ReplyOf<typeof previewAnnouncement>['data']> {
  const { username } = await deps.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const values = { user: userId, username, subject, text }
  const context = contextIn(mailContext(deps, publicUrl), DEFAULT_LOCALE)
  const mail = announcement(values, context)
  return { subject, html: mail.html, text: mail.text, paragraphs: announcementBlocks(values, context) }
}
