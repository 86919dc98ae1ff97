import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type CommandConfig, readCommandConfig } from '../config/config.ts'
import type { CopiedFile } from '../domain/backups/campaign-copy.ts'
import { placeCampaign, type PlacedFile } from '../domain/backups/place-campaign.ts'
import { rehearse, type RehearsalResult } from '../domain/backups/rehearse.ts'
import { checkBackup, problemsOf, restore, type Restored } from '../domain/backups/restore.ts'
import { beginRun, canRecordRuns, finishRun, type FinishedRun } from '../domain/backups/runs.ts'
import { campaignPath } from '../domain/campaign/load-campaign.ts'
import { openServer } from '../open-database.ts'
import { count } from '../platform/count.ts'
import { openDatabase, openPool } from '../platform/database/database.ts'
import { explainReading } from '../platform/file-problems.ts'
import { runInterruptibly, Interrupted, messageOf, runCommand, WrongArguments } from './command.ts'

const USAGE = `Usage: npm run restore -- FILE [--force] [--send-mail] [--replace-campaign-file]
       npm run restore -- --rehearse FILE`

async function main(): Promise<void> {
  const args = readArguments()
  const config = readCommandConfig(process.env)
  return args.isRehearsal ? rehearseFile(config, args.file) : restoreFile(config, args)
}

type Arguments = { file: string; isRehearsal: boolean; force: boolean; sendMail: boolean; replace: boolean }

function readArguments(): Arguments {
  const { positionals, values } = parseArgs({
    options: {
      rehearse: { type: 'boolean' },
      force: { type: 'boolean' },
      'send-mail': { type: 'boolean' },
      'replace-campaign-file': { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const { rehearse: isRehearsal = false, force = false } = values
  const { 'send-mail': sendMail = false, 'replace-campaign-file': replace = false } = values
  const [file, ...rest] = positionals
  if (!file || rest.length > 0 || (isRehearsal && (force || sendMail || replace))) throw new WrongArguments()
  return { file, isRehearsal, force, sendMail, replace }
}

async function restoreFile(config: CommandConfig, args: Arguments): Promise<void> {
  const { file, force, sendMail, replace } = args
  const backup = await checkOrExplain(file)
  const server = await openServer(config, { isExclusive: true })
  if (!server) throw new Error('There is no database to restore into. Set DATABASE_URL or DATA_DIR.')
  try {
    const { url, ownerUrl } = server
    const target = { url, ownerUrl, dataDir: path.resolve(config.dataDir), appSecret: config.appSecret }
    const restored = await restore(target, backup, { force, sendMail })
    console.log(`Restored the campaign as of ${backup.takenAt.toISOString()}: ${backup.rows} rows.`)
    for (const line of describeRestored(restored)) console.log(line)
    await placeFiles(config, restored.campaignFiles, replace)
  } finally {
    await server.close()
  }
}

/** Restores the campaign file and its pictures. The database stays restored if that fails. */
async function placeFiles(config: CommandConfig, files: CopiedFile[], replace: boolean): Promise<void> {
  const wantedPath = campaignPath(config.campaignFile)
  const elsewhere = path.resolve(config.dataDir) // For a file that cannot be written where it belongs.
  try {
    const [campaign, ...pictures] = await placeCampaign(files, { wantedPath, elsewhere, replace })
    for (const line of campaign ? describeCampaignFile(campaign) : NO_CAMPAIGN_FILE) console.log(line)
    for (const picture of pictures)
      if (picture.outcome !== 'same') console.log(describePlaced('picture', picture))
  } catch (error) {
    throw new Error(
      `The database is restored, but the campaign file could not be written: ${messageOf(error)}. Set DATA_DIR to a folder, or CAMPAIGN_CONFIG to a file, that this account may write, and restore again with --force.`,
      { cause: error },
    )
  }
}

const NO_CAMPAIGN_FILE = [
  'The backup has no campaign file: use the one that belongs to it, or its texts and dates change with the next start.',
]

function describeCampaignFile(file: PlacedFile): string[] {
  const { outcome, copyPath, wantedPath } = file
  if (outcome === 'same') return [`The campaign file ${copyPath} is the same as in the backup.`]
  if (outcome !== 'beside') return [describePlaced('campaign file', file)]
  // The copy lies `beside` the file in use, whose place it can take only with the same extension (format).
  const isSameFormat = path.extname(copyPath) === path.extname(wantedPath)
  const setVariable = `Before you start, set CAMPAIGN_CONFIG=${copyPath}`
  if (!existsSync(wantedPath)) {
    const orMove = isSameFormat ? `, or move that file to ${wantedPath}` : ''
    const restoredAs = `The campaign file could not be restored as ${wantedPath}, so it is now ${copyPath}.`
    return [restoredAs, `${setVariable}${orMove}.`]
  }
  const orReplace = isSameFormat ? ', or put that file in the place of the other' : ''
  return [
    describePlaced('campaign file', file),
    `${setVariable}${orReplace}: otherwise the other one’s settings count.`,
  ]
}

function describePlaced(kind: string, { outcome, copyPath, wantedPath, keptPath }: PlacedFile): string {
  if (outcome === 'placed') return `Restored the ${kind} ${copyPath}.`
  if (outcome === 'replaced')
    return `Restored the ${kind} ${copyPath}. The one that was there is now ${keptPath}.`
  return `The ${kind} ${wantedPath} is not the one of the backup, and was left as it is. The one of the backup is ${copyPath}.`
}

const checkOrExplain = (file: string) => explainReading(file, () => checkBackup(file))

const SECRET_REMARKS: Partial<Record<Restored['secret'], string>> = {
  other:
    'APP_SECRET differs from the one the backup was made with. Set the original one, or everything encrypted with it is lost.',
  missing: 'The backup was made with an APP_SECRET from the environment: set the same one before you start.',
}

function describeRestored(restored: Restored): string[] {
  const { unsentMails, leftOut, secret } = restored
  const remark = SECRET_REMARKS[secret]
  return [
    'All sessions have ended, so everyone has to log in again.',
    ...(unsentMails > 0
      ? [
          `${count(unsentMails, 'email that was', 'emails that were')} queued when the backup was made will not be sent, because most have been sent since. To send all of them, restore with --send-mail.`,
        ]
      : []),
    ...(leftOut.length > 0
      ? [`Left out, because they do not belong to this program: ${leftOut.join(', ')}.`]
      : []),
    ...(remark === undefined ? [] : [remark]),
    ...describeData(restored),
  ]
}

function describeData(restored: Restored): string[] {
  const problems = problemsOf(restored)
  if (problems.length > 0) return problems.map((problem) => `In the backup itself, ${problem}.`)
  const { journal } = restored
  return journal.ok
    ? [
        `The journal is valid (${count(journal.head.number, 'entry', 'entries')}); balances and slots match the ledger.`,
      ]
    : []
}

/** Restores into a temporary database, to be sure that the file is good. */
async function rehearseFile(config: CommandConfig, file: string): Promise<void> {
  let takenAt: Date | undefined
  let problems: string[]
  try {
    const backup = await checkOrExplain(file)
    takenAt = backup.takenAt
    const ownCampaign = await readFile(campaignPath(config.campaignFile)).catch(() => undefined)
    // Interruptible, so that no copy of everyone's data stays behind.
    const restored = await runInterruptibly(
      'Interrupted: the temporary database has been removed.',
      (signal) => rehearse(backup, ownCampaign, signal),
    )
    problems = [...problemsOf(restored), ...(restored.campaignProblems ?? [])]
    if (problems.length === 0) console.log(`${file} can be restored: ${backup.rows} rows.`)
    for (const line of [...describeData(restored), ...describeRehearsedCampaign(restored)]) console.log(line)
  } catch (error) {
    if (error instanceof Interrupted) throw error
    problems = [messageOf(error)]
    console.error(problems[0])
  }
  const hasFailed = problems.length > 0
  const outcome = { ...(takenAt && { taken_at: takenAt }), ...(hasFailed && { error: problems.join('; ') }) }
  await recordRun(config, path.resolve(file), outcome)
  if (hasFailed) process.exitCode = 1
}

function describeRehearsedCampaign({ campaignFiles: [file], campaignProblems }: RehearsalResult): string[] {
  if (!file) return ['It has no campaign file: keep a copy of yours.']
  if (!campaignProblems)
    return [
      `Its campaign file ${file.name} is a program that differs from yours, so it was not run: read it before you use it.`,
    ]
  return campaignProblems.length > 0
    ? campaignProblems.map((problem) => `In the backup itself, ${problem}.`)
    : [`Its campaign file ${file.name} has no mistakes.`]
}

/** Records the rehearsal in `backup_runs` if there is a database. Rehearsing works without one, too. */
async function recordRun(config: CommandConfig, file: string, outcome: FinishedRun): Promise<void> {
  try {
    const server = await openServer(config, { isExclusive: false })
    if (!server) return
    const pool = openPool(server.url, { max: 1 })
    try {
      const db = openDatabase(pool)
      if (await canRecordRuns(db)) await finishRun(db, await beginRun(db, 'rehearsal', file), outcome)
    } finally {
      await pool.end()
      await server.close()
    }
  } catch (error) {
    console.error(
      `The rehearsal is complete, but the table backup_runs could not be updated: ${String(error)}`,
    )
  }
}

await runCommand(USAGE, main)
