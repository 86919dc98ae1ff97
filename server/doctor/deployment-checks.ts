import { Resolver } from 'node:dns/promises'
import type { Pool } from 'pg'
import type { CampaignFile } from '#contract/campaign-file.ts'
import {
  type DeploymentFinding,
  SHOWN_VARIABLES,
  type ShownVariable,
} from '#contract/dashboard/deployment.ts'
import type { Locale } from '#contract/locales.ts'
import type { Config } from '../config/config.ts'
import { inTransaction, type Database } from '../platform/database/database.ts'
import { freeBytesOf } from '../platform/database/data-dir.ts'
import type { Forwarding } from '../platform/http/forwarding.ts'
import type { Mail } from '../domain/mail/compose.ts'
import { sendLater } from '../domain/mail/send-later.ts'
import type { Examined } from './examine.ts'
import { textsOf } from './finding.ts'
import { TEST_MAIL } from './mail.ts'
import type { Subject } from './subject.ts'

type Parts = Pick<Subject, 'fetchPrice' | 'http'> & {
  config: Config
  db: Database
  pool: Pool
  campaign: () => CampaignFile
  testMail: (username: string) => Mail
}

/** @property browserTime milliseconds since 1970 */
type ExaminationRequest = { forwarding: Forwarding; browserTime: number; origin: string }

export type DeploymentChecks = {
  examine(request: ExaminationRequest, locale: Locale): Promise<DeploymentFinding[]>
  /** Sends an email and waits for the mail server's answer. Without SMTP_URL, queues it for the mailbox. */
  sendTestMail(userId: string, locale: Locale): Promise<DeploymentFinding>
  /** Without secrets. */
  environment: readonly { name: ShownVariable; value: string | null }[]
}

/** For each check: less than browsers and proxies wait for an answer. */
const LIMIT_MS = 12_000
/** A fifth of that, so that a check can still judge after name servers have been silent. */
const DNS_TIMEOUT_MS = LIMIT_MS / 5

/** The checks of `doctor` in a running program. The first call imports their code, to save memory before. */
export function createDeploymentChecks(parts: Parts): DeploymentChecks {
  return {
    async examine({ forwarding, browserTime, origin }, locale) {
      const now = Date.now()
      const { judgeForwarding } = await import('./checks/forwarding.ts')
      const { judgeBrowserClock } = await import('./checks/clock.ts')
      return [
        { name: 'your request', ...judgeForwarding(forwarding, origin, parts.config) },
        { name: 'your clock', ...judgeBrowserClock(browserTime, now) },
        ...(await examineSubject(parts)),
      ].map((finding) => toReply(finding, locale))
    },
    async sendTestMail(userId, locale) {
      const { judgeTestMail, mailboxFinding } = await import('./checks/mail.ts')
      const { smtpUrl, mailFrom, publicUrl } = parts.config
      const { email, username } = await parts.db
        .selectFrom('users')
        .select(['email', 'username'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      if (!smtpUrl) {
        const mail = { template: TEST_MAIL, to: email, values: { username } }
        await inTransaction(parts.db, (tx) => sendLater(tx, mail))
        return toReply({ name: 'test mail', ...mailboxFinding(publicUrl) }, locale)
      }
      const { sendOnce } = await import('../domain/mail/smtp.ts')
      const verdict = await sendOnce(smtpUrl, { ...parts.testMail(username), from: mailFrom, to: email })
      return toReply({ name: 'test mail', ...judgeTestMail(new URL(smtpUrl).host, verdict) }, locale)
    },
    environment: describeEnvironment(parts.config),
  }
}

function describeEnvironment(config: Config): DeploymentChecks['environment'] {
  const values: Record<ShownVariable, string | undefined> = {
    PUBLIC_URL: config.publicUrl,
    SMTP_URL: config.smtpUrl && withoutSecrets(config.smtpUrl),
    MAIL_FROM: config.mailFrom,
    TRUST_PROXY: config.trustProxy.join(', '),
    CAMPAIGN_CONFIG: config.campaignFile,
    CHAIN_RPC_URL: withoutSecrets(config.chainRpcUrl),
    BACKUP_DIR: config.backupDir,
  }
  return SHOWN_VARIABLES.map((name) => ({ name, value: values[name] || null }))
}

/** The user, password, path and parameters of an address may be secret. */
function withoutSecrets(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

async function examineSubject({ config, campaign, db, pool, http, fetchPrice }: Parts) {
  const [{ examine, LIVE_CHECKS }, { verifyMailServer }] = await Promise.all([
    import('./examine.ts'),
    import('../domain/mail/smtp.ts'),
  ])
  return examine(
    {
      environment: { config, problems: [], unusable: new Set() },
      campaign: campaign(),
      database: Promise.resolve({ db, pool, close: () => Promise.resolve() }),
      http,
      resolver: new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 }),
      verifyMailServer,
      freeBytes: freeBytesOf,
      fetchPrice,
      now: Date.now,
    },
    { checks: LIVE_CHECKS, limitMs: LIMIT_MS },
  )
}

const toReply = (finding: Examined, locale: Locale) => ({ ...finding, ...textsOf(finding, locale) })
