import type { Job, Outcome } from '#server/platform/jobs.ts'
import type { SecurityEvents } from '#server/platform/security-events.ts'
import type { QueuedMail } from './send-later.ts'
import { type MailContext, render, type Templates } from './templates.ts'
import type { Transport } from './transport.ts'

export type Delivery = {
  transport: Transport
  templates: Templates
  context: MailContext
  from: string
  security: SecurityEvents
}

/**
 * Sends one queued email. The Message-ID derives from the job, so that mail servers recognize an email resent
 * after a crash. A permanent refusal is not retried. The mail server's answer is logged.
 */
export async function deliver(delivery: Delivery, job: Job, cut?: AbortSignal): Promise<Outcome> {
  const queued = job.payload as QueuedMail
  const mail = render(queued, delivery.templates, delivery.context)
  const messageId = `<${job.id}@${new URL(delivery.context.publicUrl).hostname}>`
  const outcome = await delivery.transport.send(
    { ...mail, messageId, from: delivery.from, to: queued.to },
    cut,
  )
  delivery.security.note({
    event: 'mail',
    ...eventFields(outcome),
    template: queued.template,
    email: queued.to,
    job: job.id,
    attempt: job.attempts,
  })
  return outcome
}

function eventFields(outcome: Outcome) {
  if ('done' in outcome) return { outcome: 'sent' } as const
  if ('dead' in outcome) return { outcome: 'refused', answer: outcome.dead } as const
  return { outcome: 'deferred', answer: outcome.retry } as const
}
