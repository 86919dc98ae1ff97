import { parseArgs } from 'node:util'
import { readCommandConfig } from '../config/config.ts'
import { backUp } from '../domain/backups/back-up.ts'
import type { CampaignCopy } from '../domain/backups/campaign-copy.ts'
import { beginRun, canRecordRuns, finishRun, type FinishedRun } from '../domain/backups/runs.ts'
import { backupSource, openServer } from '../open-database.ts'
import { COMMAND_POOL } from '../platform/database/connections.ts'
import { openDatabase, openPool } from '../platform/database/database.ts'
import { runInterruptibly, runCommand, WrongArguments } from './command.ts'

const USAGE = 'Usage: npm run backup -- FILE'

await runCommand(USAGE, main)

async function main(): Promise<void> {
  const file = readArguments()
  const config = readCommandConfig(process.env)
  const server = await openServer(config, { isExclusive: false })
  if (!server) throw new Error(`Nothing to back up: there is no database in DATA_DIR ${config.dataDir}.`)
  try {
    // The owner can read everything. An earlier version may not have granted all of it to the serving role.
    const source = backupSource(config, server.ownerUrl)
    const backup = await runInterruptibly('Interrupted: no backup was written.', (signal) =>
      backUp(source, file, signal),
    )
    const { takenAt, rows, bytes, needsSecret, campaign } = backup
    await recordRun(server.url, backup.file, { taken_at: takenAt, bytes })
    console.log(
      `${file} contains the campaign as of ${takenAt.toISOString()}: ${rows} rows, ${describeBytes(bytes)}.`,
    )
    if (campaign.files.length > 0)
      console.log(`It includes ${describeFiles(source.campaignFile, campaign.files)}.`)
    for (const line of campaign.missing) console.error(`Not included: ${line}`)
    console.log('It contains personal data and secrets: keep it where only you can read it.')
    if (needsSecret)
      console.log(
        'It does not contain APP_SECRET, which comes from the environment: back that up separately.',
      )
  } finally {
    await server.close()
  }
}

function readArguments(): string {
  const { positionals } = parseArgs({ options: {}, allowPositionals: true })
  const [file, ...rest] = positionals
  if (!file || rest.length > 0) throw new WrongArguments()
  return file
}

/** Records the run in `backup_runs`. The backup is valid whether or not that succeeds. */
async function recordRun(url: string, file: string, outcome: FinishedRun): Promise<void> {
  const pool = openPool(url, { max: COMMAND_POOL })
  try {
    const db = openDatabase(pool)
    if (await canRecordRuns(db)) await finishRun(db, await beginRun(db, 'manual', file), outcome)
  } catch (error) {
    console.error(`The backup is complete, but the table backup_runs could not be updated: ${String(error)}`)
  } finally {
    await pool.end()
  }
}

function describeBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${Number((bytes / 1000 ** power).toPrecision(2))} ${units[power]}`
}

/** @param files the campaign file, then its pictures. */
function describeFiles(campaignFile: string, files: CampaignCopy['files']): string {
  const pictures = files.slice(1)
  return [`the campaign file ${campaignFile}`, ...pictures.map(({ name }) => name)].join(', ')
}
