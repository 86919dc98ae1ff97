import type { SecurityEvents } from '#server/platform/security-events.ts'
import type { UnsealedEntry } from './seal.ts'

/** Logs role changes as security events. The journal also has those made by commands. */
export function noteRoles(security: SecurityEvents, entries: readonly UnsealedEntry[]) {
  for (const { action, actor, subject, after } of entries) {
    if (action !== 'role.changed') continue
    const role = String((after as { role?: unknown } | null)?.role)
    security.note({ event: 'role', outcome: 'changed', account: subject ?? undefined, by: actor, role })
  }
}
