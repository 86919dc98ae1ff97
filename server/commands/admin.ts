import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import { createAdministrator } from '../domain/accounts/create-administrator.ts'
import { errorMessages } from '../messages.ts'
import { openDatabaseForCommand } from '../open-database.ts'
import { createPasswordHasher } from '../platform/password-hash.ts'
import { Refusal } from '../platform/refusal.ts'
import { fail, misconfigured, readSettings, runCommand } from './command.ts'

const USAGE =
  'Usage: npm run admin -- create --email EMAIL --username NAME (password in ADMIN_PASSWORD, or asked for)'

await runCommand(main)

async function main(): Promise<number> {
  const args = readArguments()
  if (!args) return fail(USAGE)
  const settings = await readSettings(process.env)
  if ('problems' in settings) return misconfigured(settings.problems)
  const { config, campaign } = settings
  const password = process.env['ADMIN_PASSWORD'] || (await askPassword())
  if (password === undefined) return fail('No password was given: set ADMIN_PASSWORD, or type one.')
  const database = await openDatabaseForCommand(config)
  try {
    const { created } = await createAdministrator(
      { db: database.db, hasher: createPasswordHasher(), campaign },
      { ...args, password },
    )
    console.log(`${args.username} ${created ? 'was created as' : 'is now'} an administrator.`)
    return 0
  } catch (error) {
    if (error instanceof Refusal) return fail(...describe(error))
    throw error
  } finally {
    await database.close()
  }
}

function readArguments(): { email: string; username: string } | undefined {
  try {
    const options = { email: { type: 'string' }, username: { type: 'string' } } as const
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const { email, username } = values
    return positionals.join() === 'create' && email && username ? { email, username } : undefined
  } catch {
    return undefined
  }
}

/** Prompts without echo; undefined when the input ends first. */
async function askPassword(): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  const ended = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)))
  process.stdout.write('Password (at least 15 characters): ')
  try {
    return await Promise.race([terminal.question(''), ended])
  } finally {
    terminal.close()
    process.stdout.write('\n')
  }
}

function describe({ code, fields }: Refusal): string[] {
  const reasons = Object.entries(fields ?? {}).map(
    ([name, reason]) =>
      `${name}: ${errorMessages.fields[reason] ?? errorMessages.messages[reason as ErrorCode] ?? errorMessages.messages[code]}`,
  )
  return reasons.length > 0 ? reasons : [errorMessages.messages[code]]
}
