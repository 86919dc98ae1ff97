import type { TestContext } from 'node:test'
import { mailTemplates } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { smtpTransport } from '#server/domain/mail/smtp.ts'
import type { Templates } from '#server/domain/mail/templates.ts'
import { smtpStub } from '../fakes/smtp.ts'

type Options = {
  templates?: Templates
  from?: string
  /** How long an email may take. */
  timeoutMs?: number | undefined
}

/** What delivers queued emails to a real SMTP server of this test. */
export async function smtpDelivery(
  t: TestContext,
  deps: Deps,
  { templates = mailTemplates, from = 'no-reply@site.example', timeoutMs }: Options = {},
) {
  const smtp = await smtpStub(t)
  const transport = smtpTransport(smtp.url, { timeoutMs })
  t.after(() => transport.close())
  const { campaign, db, keys, log, security } = deps
  const context = { campaign, publicUrl: 'https://site.example', keys }
  const delivery = { db, log, security, transport, templates, context, from }
  return { smtp, transport, delivery }
}
