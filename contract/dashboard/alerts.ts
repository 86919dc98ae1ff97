import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'

export const AlertCondition = z.enum(['mail_stuck', 'disk_low', 'backup_failed', 'jobs_dead'])
export type AlertCondition = z.output<typeof AlertCondition>

export const Alert = z.object({
  condition: AlertCondition,
  /** For `disk_low`, the machine and the variable with the folder: `node-1 BACKUP_DIR`. Otherwise empty. */
  place: z.string(),
  since: z.string(),
  /** The values in the alert's text, by their names in `messages/`. */
  facts: z.record(z.string(), z.unknown()),
})
/** The schema cannot tell the type of `facts`, since every visitor would load the code of `z.union`. */
export type Alert = Omit<z.output<typeof Alert>, 'facts'> & { facts: Record<string, string | number> }

export const alerts = endpoint('GET /alerts', {
  access: 'admin',
  summary: 'Current problems of the deployment, oldest first.',
  reply: z.object({ data: z.array(Alert) }),
})
