import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'

export const DeploymentFinding = z.object({
  /** The check: `chain`, `clock` … */
  name: z.string(),
  outcome: z.enum(['fine', 'wrong', 'could_not_tell']),
  /** One line. If `wrong`, a line for each problem, which says what to do. */
  lines: z.array(z.string()),
  /** What is worth knowing but not a problem. */
  remarks: z.array(z.string()),
})
export type DeploymentFinding = z.output<typeof DeploymentFinding>

export const examineDeployment = endpoint('POST /deployment/checks', {
  access: 'admin',
  invalidatesCacheOf: [], // no public answer changes
  summary:
    'Check the chain, the price, the clocks, the mail server and what a proxy passes on with this request.',
  limits: [{ per: 'account', take: 60, seconds: 600 }],
  body: z.strictObject({
    /** The browser's clock: milliseconds since 1970, in the range of `Date`. */
    browserTime: z
      .int('number_format')
      .check(z.minimum(0, 'number_range'), z.maximum(8.64e15, 'number_range')),
    /** From the browser's address bar. */
    origin: z.string().check(z.maxLength(300, 'text_long')),
  }),
  reply: z.object({ data: z.array(DeploymentFinding) }),
})

export const sendTestMail = endpoint('POST /deployment/test-mail', {
  access: 'admin',
  invalidatesCacheOf: [],
  summary: 'Send an email to the caller’s own address and report what the mail server answered.',
  limits: [{ per: 'account', take: 6, seconds: 600 }],
  reply: z.object({ data: DeploymentFinding }),
})

/** The environment variables that the dashboard explains, most important first. */
export const SHOWN_VARIABLES = [
  'PUBLIC_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'TRUST_PROXY',
  'CAMPAIGN_CONFIG',
  'CHAIN_RPC_URL',
  'BACKUP_DIR',
] as const
export type ShownVariable = (typeof SHOWN_VARIABLES)[number]

export const deploymentEnvironment = endpoint('GET /deployment/environment', {
  access: 'admin',
  summary:
    'Values in the server’s environment, which the dashboard explains but cannot change. Without secrets.',
  reply: z.object({
    data: z.array(
      z.object({
        name: z.enum(SHOWN_VARIABLES),
        /** The value in effect; null if not set. An address of another machine is cut to its host. */
        value: z.nullable(z.string()),
      }),
    ),
  }),
})
