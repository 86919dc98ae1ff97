import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

type Answer = { outcome: 'accepted' | 'deferred' | 'refused' | 'suppressed'; answer: string | null }

/** Stores the newest answer about an email; nothing if its job has been deleted meanwhile. */
export async function recordAnswer(db: Database, job: string, { outcome, answer }: Answer): Promise<void> {
  await sql`
    insert into mail_answers (job, outcome, answer) select id, ${outcome}, ${answer} from jobs where id = ${job}
    on conflict (job) do update
      set outcome = excluded.outcome, answer = excluded.answer, at = now()`.execute(db)
}
