import { fine, wrong } from '../finding.ts'
import { type Check, DATABASE_VARIABLES, onDatabase } from '../subject.ts'
import { WORDS } from '../words.ts'

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
      return number > 0 ? fine(WORDS.administrators.fine(number)) : wrong([WORDS.administrators.none])
    }),
}
