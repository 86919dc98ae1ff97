import { sql } from 'kysely'
import type { Alert } from '#contract/dashboard/alerts.ts'
import type { Deps } from '#server/deps.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { lockByName } from '#server/platform/database/advisory-lock.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import {
  type ALERT_TEMPLATES,
  findProblems,
  judgesBackups,
  type Problem,
  type WatchedDeployment,
} from './conditions.ts'
import { readAdministrators } from '../accounts/roles/administrators.ts'

/** Shortest time from an alert's last email to the email that says that it has begun again. */
const MAIL_COOLDOWN = sql`interval '1 hour'`
/** A problem is over if no node has seen it for this long, even if its machine is gone. */
const STALE_AFTER = sql`interval '1 hour'`
/** An email dated further ahead than this was queued before the clock was set back. */
const MAX_AHEAD = sql`interval '1 minute'`
/** How long an email about an alert may wait to be sent. */
const USEFUL_MS = 24 * 3_600_000

/**
 * Emails administrators when a problem begins and when it ends. Nodes take turns, so that each email is
 * queued once.
 */
export async function watchDeployment(deps: Deps, watched: WatchedDeployment): Promise<void> {
  const problems = await findProblems(deps.db, watched)
  const changes = await inTransaction(deps.db, async (tx) => {
    await lockByName(tx, 'alerts')
    const raised = await raiseAlerts(tx, problems)
    const cleared = await clearAlerts(tx, problems, watched)
    await mailAdministrators(tx, 'alert-raised', await markRaisedAsMailed(tx))
    await mailAdministrators(tx, 'alert-cleared', await markClearedAsMailed(tx))
    return { raised, cleared }
  })
  for (const alert of changes.raised) deps.log.error({ event: 'alert', outcome: 'raised', ...alert }, 'alert')
  for (const alert of changes.cleared)
    deps.log.warn({ event: 'alert', outcome: 'cleared', ...alert }, 'alert over')
  deps.runSoon('mail')
}

/** @returns the problems that are new. */
async function raiseAlerts(tx: Tx, problems: readonly Problem[]): Promise<Problem[]> {
  const raised: Problem[] = []
  for (const { condition, place, facts } of problems) {
    const { rows } = await sql<{ isNew: boolean }>`
      with before as (select cleared_at from alerts where condition = ${condition} and place = ${place})
      insert into alerts (condition, place, facts) values (${condition}, ${place}, ${JSON.stringify(facts)}::jsonb)
      on conflict (condition, place) do update set facts = excluded.facts, seen_at = now(), cleared_at = null,
        since = case when alerts.cleared_at is null then alerts.since else now() end
      returning not exists (select from before where cleared_at is null) as "isNew"`.execute(tx)
    if (rows[0]?.isNew) raised.push({ condition, place, facts })
  }
  return raised
}

/**
 * Clears alerts whose problem no longer holds. A node always judges problems of the whole deployment, except
 * backups, which it judges if {@link judgesBackups}. Of disks, it judges those of its machine (see `place`).
 * @returns the cleared alerts.
 */
async function clearAlerts(
  tx: Tx,
  problems: readonly Problem[],
  watched: WatchedDeployment,
): Promise<Pick<Problem, 'condition' | 'place'>[]> {
  const problemKeys = problems.map(({ condition, place }) => `${condition} ${place}`)
  const unjudged: Problem['condition'][] = judgesBackups(watched) ? [] : ['backup_failed']
  const { rows } = await sql<Pick<Problem, 'condition' | 'place'>>`
    update alerts set cleared_at = now()
    where cleared_at is null and condition || ' ' || place <> all (${problemKeys}::text[])
      and (place = '' and condition <> all (${unjudged}::text[]) or starts_with(place, ${`${watched.machine} `})
        or seen_at < now() - ${STALE_AFTER})
    returning condition, place`.execute(tx)
  return rows
}

/**
 * Marks alerts as emailed unless an email has already said that they hold (`told_at`) or the last email about
 * them (`mailed_at`) is too recent.
 * @returns the marked alerts.
 */
async function markRaisedAsMailed(tx: Tx): Promise<Problem[]> {
  const { rows } = await sql<Problem>`
    update alerts set told_at = now(), mailed_at = now()
    where cleared_at is null and told_at is null
      and (mailed_at is null or mailed_at < now() - ${MAIL_COOLDOWN} or mailed_at > now() + ${MAX_AHEAD})
    returning condition, place, facts`.execute(tx)
  return rows
}

/** Marks cleared alerts as emailed if an email had said that they hold. @returns the marked alerts. */
async function markClearedAsMailed(tx: Tx): Promise<Problem[]> {
  const { rows } = await sql<Problem>`
    update alerts set told_at = null, mailed_at = now()
    where cleared_at is not null and told_at is not null
    returning condition, place, facts`.execute(tx)
  return rows
}

async function mailAdministrators(
  tx: Tx,
  template: (typeof ALERT_TEMPLATES)[number],
  alerts: readonly Problem[],
): Promise<void> {
  if (alerts.length === 0) return
  const administrators = await readAdministrators(tx)
  const usefulUntil = new Date(Date.now() + USEFUL_MS)
  for (const { condition, facts } of alerts)
    for (const { username, email } of administrators) {
      const values = { username, condition, facts: JSON.stringify(facts) }
      await sendLater(tx, { template, to: email, values }, { usefulUntil })
    }
}

/** Current alerts, oldest first. */
export async function readAlerts(db: Database): Promise<Alert[]> {
  const rows = await db
    .selectFrom('alerts')
    .select(['condition', 'place', 'facts', 'since'])
    .where('cleared_at', 'is', null)
    .orderBy('since')
    .orderBy('condition')
    .orderBy('place')
    .execute()
  return rows.map(({ since, ...alert }) => ({
    ...(alert as Omit<Alert, 'since'>),
    since: since.toISOString(),
  }))
}
