import type { TestContext } from 'node:test'
import { mailTemplates } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { codeOf } from '#server/domain/accounts/codes/one-time-codes.ts'
import { compose } from '#server/domain/mail/compose.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { smtpTransport } from '#server/domain/mail/smtp.ts'
import type { Templates } from '#server/domain/mail/templates.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { smtpStub } from '../fakes/smtp.ts'

/** The code of every letter derives from this. */
export const NONCE = 'AAAAAAAAAAAAAAAAAAAAAA'

/** An email of some feature, with a code. */
export const letterTemplates: Templates = {
  letter: ({ username = '', nonce = '' }, { keys }) =>
    compose('Your code', [`Hello “${username}”,`, { code: codeOf(keys, nonce) }, 'The team'], 'en'),
}

type LetterOptions = { username?: string; runAt?: Date; usefulUntil?: Date }

/** @returns the job's id. */
export const queueLetter = (
  db: Database,
  to: string,
  { username = 'alice', ...timing }: LetterOptions = {},
) =>
  inTransaction(db, (tx) =>
    sendLater(tx, { template: 'letter', to, values: { username, nonce: NONCE } }, timing),
  )

type DeliveryOptions = {
  templates?: Templates
  from?: string
  timeoutMs?: number | undefined
}

/** An SMTP stub, and the dependencies with which `deliver` hands emails over to it. */
export async function smtpDelivery(
  t: TestContext,
  deps: Deps,
  { templates = mailTemplates, from = 'no-reply@site.example', timeoutMs }: DeliveryOptions = {},
) {
  const smtp = await smtpStub(t)
  const transport = smtpTransport(smtp.url, { timeoutMs })
  t.after(() => transport.close())
  const { campaign, db, keys, log, security } = deps
  const context = { campaign, publicUrl: 'https://site.example', keys }
  const delivery = { db, log, security, transport, templates, context, from }
  return { smtp, transport, delivery }
}
