import { type MailBacklog, readMailBacklog, STUCK_AFTER } from '#server/domain/mail/backlog.ts'
import { fine, type Finding, wrong } from '../finding.ts'
import { type Check, DATABASE_VARIABLES, onDatabase } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { mailQueue: words } = WORDS

export const mailQueue: Check = {
  name: 'mail queue',
  needs: DATABASE_VARIABLES,
  examine: (subject) => onDatabase(subject, async (db) => judge(await readMailBacklog(db))),
}

function judge({ waiting, oldestSeconds, lastError, dead, deadError }: MailBacklog): Finding {
  const remarks = dead > 0 ? [words.given(dead, deadError)] : []
  return oldestSeconds > STUCK_AFTER
    ? wrong([words.stuck(waiting, oldestSeconds, lastError)], remarks)
    : fine(words.fine(waiting), remarks)
}
