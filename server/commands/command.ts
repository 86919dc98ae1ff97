import type { CampaignFile } from '#contract/campaign-file.ts'
import { type CommandConfig, readCommandConfig } from '../config/config.ts'
import { loadCampaign } from '../domain/campaign/load-campaign.ts'
import { errorMessages } from '../messages/errors.ts'
import type { Database } from '../platform/database/database.ts'
import { exitCodeOf, Misconfigured } from '../platform/misconfigured.ts'
import { Refusal } from '../platform/refusal.ts'
import { deriveKeys, type Keys, readOrMakeSecret, readSecret } from '../platform/secrets.ts'

/** The operator on the command line, who has no account. */
export const OPERATOR = { actor: null }

/** For `Deps.runSoon`. A command runs no recurring jobs: the server runs what the command has queued. */
export const runNoJobs = () => {}

/** Makes the command print its usage. */
export class WrongArguments extends Error {}

export const NEEDS_YES = 'This cannot be undone. If you are sure, repeat the command with --yes.'

/**
 * Runs a command, or prints its usage for `--help`. If it fails, prints the usage for wrong arguments, or
 * else a message, and exits with 78 (EX_CONFIG) if the operator has to change something, else with 1.
 */
export async function runCommand(usage: string, main: () => Promise<void>): Promise<void> {
  if (process.argv.includes('--help')) return console.log(usage)
  try {
    await main()
  } catch (error) {
    console.error(describeFailure(error, usage))
    process.exitCode = exitCodeOf(error)
  }
}

function describeFailure(error: unknown, usage: string): string {
  if (error instanceof WrongArguments || isFromParseArgs(error)) return usage
  if (error instanceof Refusal) return describeRefusal(error)
  if (LOST_CONNECTION.test(messageOf(error)))
    return 'The database has broken off the connection. Find out why with npm run doctor, then try again.'
  return messageOf(error)
}

/** Messages of the driver. One that PostgreSQL itself sends has a reason. */
const LOST_CONNECTION = /^(Connection terminated|Client has encountered a connection error)/

const isFromParseArgs = (error: unknown) =>
  String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS_')

/** A sentence per line for each refused field, or the sentence about the refusal itself. */
export function describeRefusal({ code, details }: Refusal): string {
  const reasons = Object.values(details.fields ?? {}).map((reason) => errorMessages.fields[reason] ?? reason)
  return reasons.length > 0 ? reasons.join('\n') : errorMessages.messages[code]
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

export class Interrupted extends Error {}

/** @throws Interrupted with this message, and the failure as its cause, if the work fails after a signal. */
export async function runInterruptibly<T>(message: string, work: (signal: AbortSignal) => Promise<T>) {
  const stop = new AbortController()
  const interrupt = () => stop.abort(new Interrupted(message))
  // Not `once`: Ctrl-C can arrive twice, from the terminal and from the process that started this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
  return work(stop.signal).catch((error: unknown) => {
    const isConsequence = stop.signal.aborted && error !== stop.signal.reason
    throw isConsequence ? new Interrupted(message, { cause: error }) : error
  })
}

/** @property campaign the campaign file, without the settings that were changed in the database */
export type Inputs = { config: CommandConfig; campaign: CampaignFile }

/** @throws Misconfigured with a line for each problem of the environment or the campaign file. */
export async function readInputs(): Promise<Inputs> {
  const config = readCommandConfig(process.env)
  const campaign = await loadCampaign(config.campaignFile)
  if ('problems' in campaign) throw new Misconfigured(campaign.problems.join('\n'))
  return { config, campaign }
}

/** @throws Misconfigured if the database is external and DATA_DIR has no secret: a new one would not fit. */
export async function keysOf({ appSecret, dataDir, databaseUrl }: CommandConfig): Promise<Keys> {
  if (appSecret !== undefined) return deriveKeys(appSecret)
  if (databaseUrl !== undefined && (await readSecret(dataDir)) === undefined)
    throw new Misconfigured(
      `There is no secret in DATA_DIR ${dataDir}: set DATA_DIR or APP_SECRET as for the server, which makes the secret at its first start.`,
    )
  return deriveKeys(await readOrMakeSecret(dataDir))
}

export async function withDatabase<T>(config: CommandConfig, use: (db: Database) => Promise<T>): Promise<T> {
  // Imported here because not every command needs a database.
  const { openDatabaseForCommand } = await import('../open-database.ts')
  const database = await openDatabaseForCommand(config)
  return use(database.db).finally(() => database.close())
}

/**
 * Stores the pictures that the campaign file names by their paths, as the server does at its start.
 * @returns the campaign with the names of the stored pictures, which a command needs to store settings.
 * @throws Misconfigured with a line for each picture that cannot be used.
 */
export async function withStoredPictures(db: Database, { config, campaign }: Inputs): Promise<CampaignFile> {
  // Imported here because most commands do not need it.
  const { resolveLook } = await import('../domain/look/resolve-look.ts')
  return resolveLook(db, campaign, config.campaignFile)
}

/** @throws Misconfigured before the first start with this campaign, or when CAMPAIGN_CONFIG was forgotten. */
export async function requireOpened(db: Database, { id }: CampaignFile): Promise<void> {
  const opened = await db.selectFrom('campaigns').select('id').where('id', '=', id).executeTakeFirst()
  if (!opened)
    throw new Misconfigured(
      `The campaign ${id} is not in the database: start the server with it once, or set CAMPAIGN_CONFIG to the campaign file that the server uses.`,
    )
}
