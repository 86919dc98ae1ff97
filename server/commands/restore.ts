import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type CommandConfig, readCommandConfig } from '../config.ts'
import { problemsOf } from '../domain/backups/check-data.ts'
import { rehearse } from '../domain/backups/rehearse.ts'
import { type CheckedBackup, checkBackup, restore, type Restored } from '../domain/backups/restore.ts'
import { beginRun, canNoteRuns, finishRun, type FinishedRun } from '../domain/backups/runs.ts'
import { openServer } from '../open-database.ts'
import { openDatabase, openPool } from '../platform/database/database.ts'
import { fail, misconfigured, runCommand } from './command.ts'

const USAGE = `Usage: npm run restore -- FILE [--force] [--send-mail]
       npm run restore -- --rehearse FILE`

const SECRETS: Record<Restored['secret'], string[]> = {
  restored: [],
  same: [],
  other: [
    'APP_SECRET differs from the one the backup was made with. Set the original one, or everything encrypted with it is lost.',
  ],
  missing: [
    'The backup was made with an APP_SECRET from the environment: set the same one before you start.',
  ],
}

await runCommand(main)

async function main(): Promise<number> {
  const args = readArguments()
  if (!args) return fail(USAGE)
  const config = readCommandConfig(process.env)
  if ('problems' in config) return misconfigured(config.problems)
  return args.rehearse ? rehearseFile(config, args.file) : restoreFile(config, args)
}

type Arguments = { file: string; rehearse: boolean; force: boolean; sendMail: boolean }

function readArguments(): Arguments | undefined {
  try {
    const { positionals, values } = parseArgs({
      options: {
        rehearse: { type: 'boolean' },
        force: { type: 'boolean' },
        'send-mail': { type: 'boolean' },
      },
      allowPositionals: true,
    })
    const { rehearse: isRehearsal = false, force = false, 'send-mail': sendMail = false } = values
    const [file, ...rest] = positionals
    if (!file || rest.length > 0 || (isRehearsal && (force || sendMail))) return undefined
    return { file, rehearse: isRehearsal, force, sendMail }
  } catch {
    return undefined
  }
}

async function restoreFile(config: CommandConfig, { file, force, sendMail }: Arguments): Promise<number> {
  const backup = await check(file)
  const server = await openServer(config, { isExclusive: true })
  if (!server) return fail('There is no database to restore into. Set DATABASE_URL or DATA_DIR.')
  try {
    const { url, ownerUrl } = server
    const target = { url, ownerUrl, dataDir: path.resolve(config.dataDir), appSecret: config.appSecret }
    const restored = await restore(target, backup, { force, sendMail })
    console.log(`Restored the campaign as of ${backup.takenAt.toISOString()}: ${backup.rows} rows.`)
    for (const line of remarks(restored)) console.log(line)
    return 0
  } finally {
    await server.close()
  }
}

async function check(file: string): Promise<CheckedBackup> {
  try {
    return await checkBackup(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`${file} does not exist.`, { cause: error })
    if (code === 'EACCES') throw new Error(`This account is not allowed to read ${file}.`, { cause: error })
    if (code === 'EISDIR') throw new Error(`${file} is a folder.`, { cause: error })
    throw error
  }
}

function remarks(restored: Restored): string[] {
  const { unsentMails, leftOut, secret } = restored
  return [
    'All sessions have ended, so everyone has to log in again.',
    ...(unsentMails > 0
      ? [
          `${unsentMails} emails that were queued when the backup was made will not be sent, because most of them have been sent since. To send them anyway, restore with --send-mail.`,
        ]
      : []),
    ...(leftOut.length > 0
      ? [`Left out, because they do not belong to this program: ${leftOut.join(', ')}.`]
      : []),
    ...SECRETS[secret],
    ...verdict(restored),
  ]
}

function verdict(restored: Restored): string[] {
  const problems = problemsOf(restored)
  if (problems.length > 0) return problems.map((problem) => `In the backup itself, ${problem}.`)
  const { journal } = restored
  return journal.ok
    ? [`The journal is valid (${journal.head.number} entries); balances and slots match the ledger.`]
    : []
}

async function rehearseFile(config: CommandConfig, file: string): Promise<number> {
  let takenAt: Date | undefined
  let problems: string[]
  try {
    const backup = await check(file)
    takenAt = backup.takenAt
    const restored = await rehearse(backup)
    problems = problemsOf(restored)
    if (problems.length === 0) console.log(`${file} can be restored: ${backup.rows} rows.`)
    for (const line of verdict(restored)) console.log(line)
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)]
    fail(...problems)
  }
  const outcome = {
    ...(takenAt && { taken_at: takenAt }),
    ...(problems[0] && { error: problems.join('; ') }),
  }
  await note(config, path.resolve(file), outcome)
  return problems.length === 0 ? 0 : 1
}

/** Records the rehearsal in `backup_runs` if there is a database to reach: it may take place on another machine. */
async function note(config: CommandConfig, file: string, outcome: FinishedRun): Promise<void> {
  if (!config.databaseUrl && !existsSync(path.join(config.dataDir, 'postgres'))) return
  try {
    const server = await openServer(config, { isExclusive: false })
    if (!server) return
    const pool = openPool(server.url, () => {}, { max: 1 })
    try {
      const db = openDatabase(pool)
      if (await canNoteRuns(db)) await finishRun(db, await beginRun(db, 'rehearsal', file), outcome)
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
