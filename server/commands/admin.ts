import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import { setupLines, setupLink } from '../banner.ts'
import { readPublicUrl } from '../config/config.ts'
import { readEffective } from '../domain/campaign/settings/overrides.ts'
import { createAdministrator } from '../domain/accounts/create-administrator.ts'
import { resetTwoFactor } from '../domain/two-factor/two-factor.ts'
import { makeSetupLink } from '../domain/setup/links.ts'
import { errorMessages } from '../messages/errors.ts'
import { createPasswordHasher } from '../platform/passwords/password-hash.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Inputs, readInputs, runCommand, withDatabase, WrongArguments } from './command.ts'

const USAGE = `Usage: npm run admin -- create --email EMAIL --username NAME (reads the password from ADMIN_PASSWORD, or asks for it)
       npm run admin -- reset-2fa EMAIL (turns off two-factor login for someone who has lost their device)
       npm run admin -- link (prints a link to create the first administrator, valid for 30 minutes)`

await runCommand(USAGE, main)

async function main(): Promise<void> {
  const subcommand = readSubcommand()
  await subcommand(await readInputs())
}

type Subcommand = (inputs: Inputs) => Promise<void>

function readSubcommand(): Subcommand {
  const options = { email: { type: 'string' }, username: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const { email, username } = values
  const [name, target, ...rest] = positionals
  if (rest.length > 0) throw new WrongArguments()
  if (name === 'create' && target === undefined && email && username)
    return (inputs) => create(inputs, { email, username })
  if (email || username) throw new WrongArguments()
  if (name === 'reset-2fa' && target) return (inputs) => resetSecondFactor(inputs, target)
  if (name === 'link' && target === undefined) return printLink
  throw new WrongArguments()
}

async function printLink({ config }: Inputs): Promise<void> {
  const url = readPublicUrl(process.env)
  return withDatabase(config, async (db) => {
    const token = await makeSetupLink(db, { replacesOthers: true })
    if (token === undefined)
      throw new Error(
        'There is already an administrator: log in at /login. To create another: npm run admin -- create --email EMAIL --username NAME',
      )
    for (const line of setupLines(setupLink(url, token))) console.log(line)
  })
}

async function resetSecondFactor({ config }: Inputs, email: string): Promise<void> {
  return withDatabase(config, async (db) => {
    const username = await resetTwoFactor(db, email)
    if (username === undefined)
      throw new Error(`No account with the email ${email} has two-factor login turned on.`)
    console.log(`Two-factor login is now off for ${username}, and their sessions have ended.`)
  })
}

type Account = { email: string; username: string }

async function create({ config, campaign: file }: Inputs, account: Account): Promise<void> {
  const password = process.env['ADMIN_PASSWORD'] || (await askPassword())
  if (password === undefined)
    throw new Error('No password given: set ADMIN_PASSWORD, or type one when asked.')
  return withDatabase(config, async (db) => {
    const { campaign } = await readEffective(db, file)
    const { isNew } = await createAdministrator(
      { db, hasher: createPasswordHasher(), campaign },
      { ...account, password },
    )
    console.log(`${account.username} ${isNew ? 'was created as' : 'is now'} an administrator.`)
  }).catch(rethrowWithFieldNames)
}

/** Prompts without echo; undefined if the input ends without a line. */
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

/** Rethrows a refusal of fields as a line for each field: `name: reason`. */
function rethrowWithFieldNames(error: unknown): never {
  if (!(error instanceof Refusal) || !error.details.fields) throw error
  const { code } = error
  const lines = Object.entries(error.details.fields).map(([name, reason]) => {
    // Most reasons are keys of `errorMessages.fields`; that a username is taken is the code of a refusal.
    const ofReason = errorMessages.fields[reason] ?? errorMessages.messages[reason as ErrorCode]
    return `${name}: ${ofReason ?? errorMessages.messages[code]}`
  })
  throw new Error(lines.join('\n'), { cause: error })
}
