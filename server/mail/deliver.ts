import type { Job, Outcome } from '../platform/jobs.ts'
import type { QueuedMail } from './send-later.ts'
import { type MailContext, render, type Templates } from './templates.ts'
import type { Transport } from './transport.ts'

/** What delivering works with. */
export type Post = { transport: Transport; templates: Templates; context: MailContext; from: string }

/**
 * Sends one queued mail. The Message-ID comes from the job, so that a mail sent twice around a crash is
 * recognised as one. What the mail server refuses for good is not tried again.
 */
export async function deliver(post: Post, job: Job): Promise<Outcome> {
  const queued = job.payload as QueuedMail
  const mail = render(queued, post.templates, post.context)
  const messageId = `<${job.id}@${new URL(post.context.publicUrl).hostname}>`
  return post.transport({ ...mail, messageId, from: post.from, to: queued.to })
}
