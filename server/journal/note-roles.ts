import type { SecurityEvents } from '../platform/security-events.ts'
import type { Act } from './seal.ts'

/** Roles are changed by commands, too: the log of the server hears of them from the journal. */
export function noteRoles(security: SecurityEvents, acts: readonly Act[]) {
  for (const { action, actor, subject, after } of acts) {
    if (action !== 'role.changed') continue
    const role = String((after as { role?: unknown } | null)?.role)
    security.note({ event: 'role', outcome: 'changed', account: subject ?? undefined, by: actor, role })
  }
}
