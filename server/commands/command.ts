import type { CampaignFile } from '#contract/campaign-file.ts'
import { type CommandConfig, readCommandConfig } from '../config.ts'
import { loadCampaign } from '../domain/campaign/load-campaign.ts'
import { exitCodeOf, MISCONFIGURED } from '../platform/misconfigured.ts'

/**
 * Runs a command and sets the exit code that it returns. An error is printed on one line, with exit code 78 when
 * the operator has to change something, else 1.
 */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = exitCodeOf(error)
  }
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

/** The configuration of a command and its campaign file, or what is wrong with them. */
export async function readSettings(
  env: Record<string, string | undefined>,
): Promise<{ config: CommandConfig; campaign: CampaignFile } | { problems: string[] }> {
  const config = readCommandConfig(env)
  if ('problems' in config) return config
  const campaign = await loadCampaign(config.campaignFile)
  return 'problems' in campaign ? campaign : { config, campaign }
}

/** A size for people: `3.4 MB`. */
export function describeBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${Number((bytes / 1000 ** power).toPrecision(2))} ${units[power]}`
}
