import type {
  changeAnnouncement,
  createAnnouncement,
  previewAnnouncement,
} from '#contract/dashboard/announcements.ts'
import { DEFAULT_LOCALE, localeNamed } from '#contract/locales.ts'
import type { BodyOf, ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { NOW } from '#server/platform/database/times.ts'
import { refuse } from '#server/platform/refusal.ts'
import { contextIn, mailContext } from '../mail/templates.ts'
import { lockAnnouncement, refuseIfChanged } from './announcement.ts'
import { composeAnnouncement, composeParagraphs } from './mail.ts'

type Content = BodyOf<typeof createAnnouncement>

/** @returns the draft's id. */
export async function createDraft(
  { db }: Deps,
  { subject, text }: Content,
  by: Attribution,
): Promise<string> {
  const id = newId()
  await inTransaction(db, async (tx) => {
    await tx.insertInto('announcements').values({ id, subject, body: text }).execute()
    await record(tx, { ...by, action: 'announcement.drafted', subject: id, details: { subject, text } })
  })
  return id
}

/**
 * @throws refusals `announcement_not_found`, `announcement_started` if it is no longer a draft, and
 * `announcement_changed` if it is no longer the draft that the caller has seen.
 */
export async function changeDraft(
  { db }: Deps,
  id: string,
  { subject, text, updatedAt }: BodyOf<typeof changeAnnouncement>,
  by: Attribution,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const draft = await lockDraft(tx, id)
    // Saved before, and the answer was lost.
    if (draft.subject === subject && draft.text === text) return
    refuseIfChanged(draft, updatedAt)
    await tx
      .updateTable('announcements')
      .set({ subject, body: text, updated_at: NOW })
      .where('id', '=', id)
      .execute()
    await record(tx, { ...by, action: 'announcement.changed', subject: id, details: { subject, text } })
  })
}

/**
 * @param seen the time of the last change of the draft, as the caller has seen it.
 * @throws the same refusals as {@link changeDraft}.
 */
export async function deleteDraft(
  { db }: Deps,
  id: string,
  seen: string | undefined,
  by: Attribution,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    refuseIfChanged(await lockDraft(tx, id), seen)
    await tx.deleteFrom('announcements').where('id', '=', id).execute()
    await record(tx, { ...by, action: 'announcement.deleted', subject: id })
  })
}

async function lockDraft(tx: Tx, id: string) {
  const announcement = await lockAnnouncement(tx, id)
  if (announcement.state !== 'draft') throw refuse('announcement_started')
  return announcement
}

/**
 * Queues an announcement as an ordinary email to the administrator who asks for it.
 * @throws refusal `announcement_not_found`.
 */
export async function sendTest(
  { db, runSoon }: Deps,
  id: string,
  by: Attribution & { actor: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const content = await tx
      .selectFrom('announcements')
      .select(['subject', 'body'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!content) throw refuse('announcement_not_found')
    const values = { user: by.actor, subject: content.subject, text: content.body }
    await mailUser(tx, by.actor, 'announcement', values)
    await record(tx, { ...by, action: 'announcement.tested', subject: id })
  })
  runSoon('mail')
}

type PreviewInput = Content & { publicUrl: string; userId: string }

/** The unsubscribe link is real: it would opt the administrator out. */
export async function renderPreview(
  deps: Deps,
  { subject, text, publicUrl, userId }: PreviewInput,
): Promise<ReplyOf<typeof previewAnnouncement>['data']> {
  const { username, locale } = await deps.db
    .selectFrom('users')
    .select(['username', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const values = { user: userId, username, subject, text }
  const context = contextIn(mailContext(deps, publicUrl), localeNamed(locale) ?? DEFAULT_LOCALE)
  const mail = composeAnnouncement(values, context)
  return { subject, html: mail.html, text: mail.text, paragraphs: composeParagraphs(values, context) }
}
