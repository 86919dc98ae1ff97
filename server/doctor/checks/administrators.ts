import { canMakeLinks, openUntil } from '#server/domain/setup/links.ts'
import { fine, wrong } from '../finding.ts'
import { type Check, DATABASE_VARIABLES, onDatabase } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { administrators: words } = WORDS

export const administrators: Check = {
  name: 'administrators',
  needs: DATABASE_VARIABLES,
  examine: (subject) =>
    onDatabase(subject, async (db) => {
      const { number } = await db
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('number'))
        .where('role', '=', 'admin')
        .where('banned_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (number > 0) return fine(words.fine(number))
      const until = (await canMakeLinks(db)) ? await openUntil(db) : undefined
      return wrong([until ? words.linkOpen(until.toISOString()) : words.none])
    }),
}
