import { codeOf } from '#server/domain/accounts/codes/one-time-codes.ts'
import { compose } from '#server/domain/mail/compose.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import type { Templates } from '#server/domain/mail/templates.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'

/** The code in every letter derives from it. */
export const NONCE = 'AAAAAAAAAAAAAAAAAAAAAA'

/** An email of some feature, with a code. */
export const letterTemplates: Templates = {
  letter: ({ username = '', nonce = '' }, { keys }) =>
    compose('Your code', [`Hello “${username}”,`, { code: codeOf(keys, nonce) }, 'The team'], 'en'),
}

type Options = { username?: string; runAt?: Date; usefulUntil?: Date }

/** Queues a letter of {@link letterTemplates}. @returns the job's id. */
export const queueLetter = (db: Database, to: string, { username = 'alice', ...timing }: Options = {}) =>
  inTransaction(db, (tx) =>
    sendLater(tx, { template: 'letter', to, values: { username, nonce: NONCE } }, timing),
  )
