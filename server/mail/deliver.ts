import type { Job, Outcome } from '../platform/jobs.ts'
import type { SecurityEvents } from '../platform/security-events.ts'
import type { QueuedMail } from './send-later.ts'
import { type MailContext, render, type Templates } from './templates.ts'
import type { Transport } from './transport.ts'

/** What delivering works with. */
export type Post = {
  transport: Transport
  templates: Templates
  context: MailContext
  from: string
  security: SecurityEvents
}

/**
 * Sends one queued mail. The Message-ID comes from the job, so that a mail sent twice around a crash is
 * recognised as one. What the mail server refuses for good is not tried again. The log has what it answered.
 */
export async function deliver(post: Post, job: Job, cut?: AbortSignal): Promise<Outcome> {
  const queued = job.payload as QueuedMail
  const mail = render(queued, post.templates, post.context)
  const messageId = `<${job.id}@${new URL(post.context.publicUrl).hostname}>`
  const outcome = await post.transport.send({ ...mail, messageId, from: post.from, to: queued.to }, cut)
  post.security.note({
    event: 'mail',
    ...inWords(outcome),
    template: queued.template,
    email: queued.to,
    job: job.id,
    attempt: job.attempts,
  })
  return outcome
}

function inWords(outcome: Outcome) {
  if ('done' in outcome) return { outcome: 'sent' } as const
  if ('dead' in outcome) return { outcome: 'refused', answer: outcome.dead } as const
  return { outcome: 'deferred', answer: outcome.retry } as const
}
