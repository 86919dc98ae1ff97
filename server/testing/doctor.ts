import type { TestContext } from 'node:test'
import type { Env } from '../config/config.ts'
import { readEnvironment } from '../doctor/environment.ts'
import { reachDatabase } from '../doctor/reach-database.ts'
import { type Finding, textsOf } from '../doctor/finding.ts'
import type { Check, Subject } from '../doctor/subject.ts'
import { verifyMailServer } from '../domain/mail/smtp.ts'
import { createHttpClient } from '../platform/outbound/http-client.ts'
import campaign from './campaign.ts'
import { assertText } from './checks/commands.ts'
import { LONG_TIMEOUT } from './database/database.ts'

/** A deployment for `doctor`. Unless `env` or `changes` says otherwise, all of it is fine or absent. */
export function deployment(env: Env = {}, changes: Partial<Subject> = {}): Subject {
  const environment = readEnvironment(env)
  // Only the test's own chain may be called.
  const allow = env['CHAIN_RPC_URL'] ? [env['CHAIN_RPC_URL']] : []
  return {
    environment,
    campaign,
    database: Promise.resolve({ absent: 'There is no database.' }),
    http: createHttpClient({ allow, timeoutMs: 20_000 }),
    resolver: { resolveTxt: () => Promise.resolve([]) },
    verifyMailServer,
    freeBytes: () => Promise.resolve(100e9),
    fetchPrice: () => () => Promise.resolve({ pairs: [] }),
    now: Date.now,
    ...changes,
  }
}

/** A deployment with its database, which is opened as in `npm run doctor` and closed after the test. */
export function deploymentOn(t: TestContext, env: Env, changes: Partial<Subject> = {}): Subject {
  const database = reachDatabase(readEnvironment(env), LONG_TIMEOUT.timeoutMs)
  t.after(async () => {
    const reached = await database
    if ('close' in reached) await reached.close()
  })
  return deployment(env, { database, ...changes })
}

export async function assertFinding(
  check: Check,
  subject: Subject,
  expected: string | RegExp,
): Promise<void> {
  assertText(await findingText(check, subject), expected)
}

/** What a check finds, as text: the outcome, its lines, and its remarks in brackets. */
export async function findingText(check: Check, subject: Subject): Promise<string> {
  return asText(await check.examine(subject, new AbortController().signal))
}

export function asText({ outcome, ...rest }: Finding): string {
  const { lines, remarks } = textsOf(rest)
  return [outcome, ...lines, ...remarks.map((remark) => `(${remark})`)].join('\n')
}
