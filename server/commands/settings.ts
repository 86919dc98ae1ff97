import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Change, Setting } from '#contract/dashboard/settings.ts'
import { loadCampaign } from '../domain/campaign/load-campaign.ts'
import { readEffective, readOverrides } from '../domain/campaign/settings/overrides.ts'
import { readSetting, SETTING_PATHS } from '../domain/campaign/settings/setting-paths.ts'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import { changeSettings, inspectChanges } from '../domain/settings/change-settings.ts'
import { joinLanguages } from '../domain/campaign/localized-campaign.ts'
import { resolveLook } from '../domain/look/resolve-look.ts'
import { exportCampaign } from '../domain/settings/export-campaign.ts'
import { listSettings } from '../domain/settings/list-settings.ts'
import { errorMessages } from '../messages/errors.ts'
import type { Database } from '../platform/database/database.ts'
import { explainReading, explainWriting } from '../platform/file-problems.ts'
import { Refusal } from '../platform/refusal.ts'
import {
  OPERATOR,
  readInputs,
  requireOpened,
  runCommand,
  withDatabase,
  withStoredPictures,
  WrongArguments,
} from './command.ts'

const USAGE = `Usage: npm run settings -- list [--json]
       npm run settings -- set PATH VALUE (a list as JSON)
       npm run settings -- unset PATH (back to the campaign file)
       npm run settings -- export FILE (ends in .ts or .json)
       npm run settings -- import FILE (a campaign file)`

type CommandDeps = {
  db: Database
  /** The campaign file without the settings in the database, but with its pictures stored there. */
  file: CampaignFile
}
type Subcommand = (deps: CommandDeps) => Promise<void>

async function main(): Promise<void> {
  const subcommand = readArguments()
  const inputs = await readInputs()
  return withDatabase(inputs.config, async (db) => {
    const hasCampaigns = (await db.selectFrom('campaigns').select('id').limit(1).execute()).length > 0
    // Before the first start, opens the campaign. Later, an unknown id means a forgotten CAMPAIGN_CONFIG.
    if (hasCampaigns) await requireOpened(db, inputs.campaign)
    const file = await withStoredPictures(db, inputs)
    if (!hasCampaigns) await syncCampaign(db, file)
    await subcommand({ db, file })
  })
}

function readArguments(): Subcommand {
  const options = { json: { type: 'boolean' } } as const
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const { json = false } = values
  const [name, target, value, ...others] = positionals
  if (others.length > 0 || (json && name !== 'list')) throw new WrongArguments()
  if (name === 'list' && target === undefined) return (deps) => list(deps, json)
  if (target === undefined) throw new WrongArguments()
  if (name === 'set' && value !== undefined) return (deps) => set(deps, target, value)
  if (value !== undefined) throw new WrongArguments()
  if (name === 'unset') return (deps) => save(deps, [{ path: target, unset: true }])
  if (name === 'export') return (deps) => exportTo(deps, target)
  if (name === 'import') return (deps) => importFrom(deps, target)
  throw new WrongArguments()
}

async function list({ db, file }: CommandDeps, json: boolean): Promise<void> {
  const listed = await listSettings(db, file)
  if (json) return console.log(JSON.stringify(listed, null, 2))
  for (const setting of listed.settings) console.log(lineOf(setting))
  for (const { problem } of listed.ignored) console.error(`Ignored: ${problem}`)
}

const MAX_VALUE_LENGTH = 80

function lineOf({ path, value, source, changedAt, changedBy }: Setting): string {
  const text = JSON.stringify(value)
  const shown = text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
  const who = changedBy ?? 'the command line'
  return `${path} = ${shown}${source === 'file' ? '' : ` (changed by ${who}, ${changedAt})`}`
}

/** Takes the text as it is if that fits, else as JSON. Takes lists, objects and a fitting `null` as JSON. */
async function set(deps: CommandDeps, path: string, text: string): Promise<void> {
  const { overrides: stored } = await readOverrides(deps.db, deps.file.id)
  const fits = (value: unknown) => 'campaign' in inspectChanges(deps.file, stored, [{ path, value }])
  const parsed = parseJson(text)
  // As text, an object would fit where any text does, and `null` as the name of a picture.
  const isJson = parsed === null ? fits(null) : typeof parsed === 'object'
  if (parsed === undefined && /^\s*[[{]/.test(text) && !fits(text))
    throw new Error(`${path} takes JSON, and this is not: ${text}`)
  const value = isJson || (parsed !== undefined && !fits(text)) ? parsed : text
  return save(deps, [{ path, value }])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function save({ db, file }: CommandDeps, changes: readonly Change[]): Promise<void> {
  try {
    await changeSettings(db, file, { changes, ...OPERATOR })
  } catch (error) {
    // This line says that nothing was saved; the error’s fields, which promises would have been broken.
    if (error instanceof Refusal && error.code === 'promise_broken')
      console.error(errorMessages.messages[error.code])
    throw error
  }
  console.log('Saved. A running site shows it within a second.')
}

async function exportTo({ db, file }: CommandDeps, target: string): Promise<void> {
  const { campaign } = await readEffective(db, file)
  const text = exportCampaign(campaign, /\.json$/i.test(target) ? 'json' : 'ts')
  await explainWriting(target, () => writeFile(target, text, { flag: 'wx' }))
  console.log(`Wrote ${target}, a campaign file with all current settings.`)
}

/** Changes every setting to its value in another campaign file, and unsets those without a value there. */
async function importFrom(deps: CommandDeps, source: string): Promise<void> {
  const { db, file } = deps
  // For a missing file, the loader would recommend CAMPAIGN_CONFIG, which is another file.
  await explainReading(source, () => readFile(source))
  const imported = await loadCampaign(source)
  if ('problems' in imported) throw new Error(imported.problems.join('\n'))
  const mismatches = [
    ...(imported.id === file.id
      ? []
      : [`${source} is for the campaign ${imported.id}, but this one is ${file.id}.`]),
    ...(imported.chain.id === file.chain.id
      ? []
      : [`${source} is for chain ${imported.chain.id}, but this campaign is on ${file.chain.id}.`]),
  ]
  if (mismatches.length > 0) throw new Error(mismatches.join('\n'))
  const inFileFormat = joinLanguages(await resolveLook(db, imported, source))
  const { overrides: stored } = await readOverrides(db, file.id)
  const changes = SETTING_PATHS.flatMap((path): Change[] => {
    const value = readSetting(inFileFormat, path)
    if (value !== undefined) return [{ path, value }]
    return stored.some((override) => override.path === path) ? [{ path, unset: true }] : []
  })
  return save(deps, changes)
}

await runCommand(USAGE, main)
