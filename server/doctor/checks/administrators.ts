import { canMakeLinks, readLinkExpiry } from '#server/domain/setup/links.ts'
import { fine, wrong } from '../finding.ts'
import { type Check, DATABASE_VARIABLES, onDatabase } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { administrators: words } = WORDS

export const administrators: Check = {
  name: 'administrators',
  reads: DATABASE_VARIABLES,
  examine: (subject) =>
    onDatabase(subject, async (db) => {
      const { active, banned } = await db
        .selectFrom('users')
        .select(({ fn }) => [
          fn.countAll<number>().filterWhere('banned_at', 'is', null).as('active'),
          fn.countAll<number>().filterWhere('banned_at', 'is not', null).as('banned'),
        ])
        .where('role', '=', 'admin')
        .executeTakeFirstOrThrow()
      if (active > 0) return fine(words.fine(active))
      // A setup link would be a way around the ban, so the program makes none.
      if (banned > 0) return wrong([words.allBanned])
      const until = (await canMakeLinks(db)) ? await readLinkExpiry(db) : undefined
      return wrong([until ? words.linkOpen(until.toISOString()) : words.none])
    }),
}
