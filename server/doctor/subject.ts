import type { Resolver } from 'node:dns/promises'
import type pg from 'pg'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { FetchPairs } from '../domain/market/read-price.ts'
import type { verifyMailServer } from '../domain/mail/smtp.ts'
import type { Database } from '../platform/database/database.ts'
import type { HttpClient } from '../platform/outbound/http-client.ts'
import type { Environment } from './environment.ts'
import { couldNotTell, type Finding } from './finding.ts'
import { WORDS } from './texts.ts'

export type ReachedDatabase =
  | { pool: pg.Pool; db: Database; close(): Promise<void> }
  /** Why there is no database to examine, for example before the first start. */
  | { absent: string }
  /** Why the database cannot be used. */
  | { failure: string }

type CampaignOrProblems = CampaignFile | { problems: string[] }

export type Subject = {
  environment: Environment
  /** Pending while the settings that override the file are read. Never rejects. */
  campaign: CampaignOrProblems | Promise<CampaignOrProblems>
  /** Pending while the database is opened, so that only checks that need it wait. Never rejects. */
  database: Promise<ReachedDatabase>
  http: HttpClient
  resolver: Pick<Resolver, 'resolveTxt'>
  verifyMailServer: typeof verifyMailServer
  freeBytes: (folder: string) => Promise<number>
  fetchPrice: (campaign: CampaignFile) => FetchPairs
  /** Milliseconds since 1970 by this machine's clock. */
  now: () => number
}

export type Check = {
  name: string
  /** The variables that the check reads. If one has an unusable value, the check cannot tell. */
  reads: readonly string[]
  /** @param signal aborts when the check has taken too long and its finding no longer counts. */
  examine: (subject: Subject, signal: AbortSignal) => Promise<Finding> | Finding
}

export const DATABASE_VARIABLES = ['DATABASE_URL', 'DATA_DIR']

export async function onDatabase(
  { database }: Subject,
  examine: (db: Database) => Promise<Finding>,
): Promise<Finding> {
  const reached = await database
  if ('absent' in reached) return couldNotTell(reached.absent)
  if ('failure' in reached) return couldNotTell(WORDS.noDatabase)
  return examine(reached.db)
}

export async function onCampaign(
  subject: Subject,
  examine: (campaign: CampaignFile) => Promise<Finding>,
): Promise<Finding> {
  const campaign = await subject.campaign
  return 'problems' in campaign ? couldNotTell(WORDS.noCampaign) : examine(campaign)
}
