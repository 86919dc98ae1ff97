import type { CampaignFile } from '#contract/campaign-file.ts'
import { type CommandConfig, readCommandConfig } from '../config.ts'
import { loadCampaign } from '../domain/campaign/load-campaign.ts'
import { errorMessages } from '../messages/errors.ts'
import type { Database } from '../platform/database/database.ts'
import { exitCodeOf, MISCONFIGURED, Misconfigured } from '../platform/misconfigured.ts'
import { Refusal } from '../platform/refusal.ts'

/**
 * Runs a command and sets the exit code that it returns. A refusal is printed in words and an error on one line, with
 * exit code 78 when the operator has to change something, else 1.
 */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (error instanceof Refusal) return void (process.exitCode = fail(...describeRefusal(error)))
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = exitCodeOf(error)
  }
}

/** The sentences about refused fields, or the one about the refusal. */
export function describeRefusal({ code, fields }: Refusal): string[] {
  const reasons = Object.values(fields ?? {}).map((reason) => errorMessages.fields[reason] ?? reason)
  return reasons.length > 0 ? reasons : [errorMessages.messages[code]]
}

/** Prints each line to stderr. @returns the exit code of a refused command. */
export function fail(...lines: readonly string[]): number {
  for (const line of lines) console.error(line)
  return 1
}

/** Like {@link fail}, for problems of the environment or the campaign file. */
export function misconfigured(problems: readonly string[]): number {
  fail(...problems)
  return MISCONFIGURED
}

/** What a command reads before it begins; `campaign` is that of the file, without overrides. */
export type Settings = { config: CommandConfig; campaign: CampaignFile }

/** @throws Misconfigured with a line for each problem of the environment or the campaign file. */
export async function readSettings(): Promise<Settings> {
  const config = readCommandConfig(process.env)
  if ('problems' in config) throw new Misconfigured(config.problems.join('\n'))
  const campaign = await loadCampaign(config.campaignFile)
  if ('problems' in campaign) throw new Misconfigured(campaign.problems.join('\n'))
  return { config, campaign }
}

/** Opens the database for one command, and closes it whatever happens. */
export async function withDatabase<T>(config: CommandConfig, use: (db: Database) => Promise<T>): Promise<T> {
  // A command that needs no database does without its packages.
  const { openDatabaseForCommand } = await import('../open-database.ts')
  const database = await openDatabaseForCommand(config)
  return use(database.db).finally(() => database.close())
}

/** A size for people: `3.4 MB`. */
export function describeBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${Number((bytes / 1000 ** power).toPrecision(2))} ${units[power]}`
}
