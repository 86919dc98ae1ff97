import { Resolver } from 'node:dns/promises'
import { parseArgs } from 'node:util'
import { readEnvironment } from '../doctor/environment.ts'
import { type Examined, examine, hasProblem, reportLines } from '../doctor/examine.ts'
import { textsOf } from '../doctor/finding.ts'
import { readEffectiveCampaign, reachDatabase } from '../doctor/reach-database.ts'
import type { Subject } from '../doctor/subject.ts'
import { localAddress } from '../doctor/checks/public-address.ts'
import { loadCampaign } from '../domain/campaign/load-campaign.ts'
import { verifyMailServer } from '../domain/mail/smtp.ts'
import { createPriceClient } from '../domain/market/client.ts'
import { freeBytesOf } from '../platform/database/data-dir.ts'
import { createHttpClient } from '../platform/outbound/http-client.ts'
import { runCommand, WrongArguments } from './command.ts'

const USAGE = 'Usage: npm run doctor -- [--json] [--timeout SECONDS] (SECONDS per check, default 20)'

/** Shares of a check's time that a single query, request or lookup may take. */
const QUERY_SHARE = 0.5
const HTTP_SHARE = 0.4
const DNS_SHARE = 0.2
/** For closing the database after the report. A connection that hangs longer is abandoned. */
const CLOSE_TIMEOUT_MS = 10_000

await runCommand(USAGE, main)

async function main(): Promise<void> {
  const { json, limitMs } = readArguments()
  const subject = await createSubject(limitMs)
  const findings = await examine(subject, { limitMs })
  const lines = json ? [asJson(findings)] : reportLines(findings)
  for (const line of lines) console.log(line)
  setTimeout(() => process.exit(), CLOSE_TIMEOUT_MS).unref()
  void close(subject)
  if (hasProblem(findings)) process.exitCode = 1
}

function readArguments(): { json: boolean; limitMs: number } {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, timeout: { type: 'string' } } })
  const { json = false, timeout = '20' } = values
  if (!/^[1-9][0-9]{0,3}$/.test(timeout)) throw new WrongArguments()
  return { json, limitMs: Number(timeout) * 1_000 }
}

async function createSubject(limitMs: number): Promise<Subject> {
  const environment = readEnvironment(process.env)
  const { publicUrl, chainRpcUrl, priceApiUrl, campaignFile } = environment.config
  const allow = [publicUrl, localAddress(environment.config), chainRpcUrl, priceApiUrl]
  const http = createHttpClient({ allow, timeoutMs: limitMs * HTTP_SHARE })
  const database = reachDatabase(environment, limitMs * QUERY_SHARE)
  return {
    environment,
    campaign: readEffectiveCampaign(await loadCampaign(campaignFile), database),
    database,
    http,
    resolver: new Resolver({ timeout: limitMs * DNS_SHARE, tries: 1 }),
    verifyMailServer,
    freeBytes: freeBytesOf,
    fetchPrice: (campaign) => createPriceClient(http, priceApiUrl, campaign),
    now: Date.now,
  }
}

function asJson(findings: readonly Examined[]): string {
  const checks = findings.map((finding) => ({ ...finding, ...textsOf(finding) }))
  return JSON.stringify({ checks }, null, 2)
}

async function close({ database }: Subject): Promise<void> {
  const reached = await database
  if ('close' in reached) await reached.close()
}
