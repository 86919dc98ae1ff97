import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { MAX_BAN_REASON_LENGTH, type Person } from '#contract/dashboard/person.ts'
import { plainText } from '#contract/protocol/fields.ts'
import type { CommandConfig } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { ban, liftBan } from '../domain/accounts/bans/ban.ts'
import { deleteAccount } from '../domain/accounts/deletion/delete-account.ts'
import { readEffective } from '../domain/campaign/settings/overrides.ts'
import { type Account, findAccount } from '../domain/people/find-account.ts'
import { exportPerson } from '../domain/people/personal-data.ts'
import { readPerson } from '../domain/people/read-person.ts'
import { explainWriting } from '../platform/file-problems.ts'
import { writeWholeFile } from '../platform/whole-file.ts'
import {
  keysOf,
  NEEDS_YES,
  readInputs,
  runCommand,
  runNoJobs,
  withDatabase,
  WrongArguments,
} from './command.ts'

const USAGE = `Usage: npm run people -- show EMAIL|USERNAME|ID
       npm run people -- ban EMAIL|USERNAME|ID --reason TEXT [--revoke-approval]
       npm run people -- unban EMAIL|USERNAME|ID
       npm run people -- export EMAIL|USERNAME|ID FILE
       npm run people -- delete EMAIL|USERNAME|ID --yes`

type CommandDeps = Pick<Deps, 'db' | 'campaign' | 'runSoon'> & { config: CommandConfig }
type Subcommand = (deps: CommandDeps, account: Account) => Promise<void>

const BY_OPERATOR = { userId: null }
const MAX_MAILS = 5

await runCommand(USAGE, main)

async function main(): Promise<void> {
  const { subcommand, who } = readArguments()
  const { config, campaign: campaignFile } = await readInputs()
  return withDatabase(config, async (db) => {
    const account = await findAccount(db, who)
    if ('problem' in account) throw new Error(account.problem)
    const { campaign } = await readEffective(db, campaignFile)
    await subcommand({ db, campaign, config, runSoon: runNoJobs }, account)
  })
}

function readArguments(): { subcommand: Subcommand; who: string } {
  const options = {
    reason: { type: 'string' },
    'revoke-approval': { type: 'boolean' },
    yes: { type: 'boolean' },
  } as const
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const [name = '', who, file, ...rest] = positionals
  const { reason, 'revoke-approval': revokesApproval = false, yes = false } = values
  // FILE and --reason are each required by one subcommand, and refused by the others.
  const doArgumentsFit =
    rest.length === 0 &&
    (file !== undefined) === (name === 'export') &&
    (reason !== undefined) === (name === 'ban') &&
    (!revokesApproval || name === 'ban') &&
    (!yes || name === 'delete')
  const subcommands: Partial<Record<string, Subcommand>> = {
    show,
    ban: (deps, account) => banPerson(deps, account, { reason, revokesApproval }),
    unban,
    export: (deps, account) => exportTo(deps, account, file ?? ''),
    delete: remove,
  }
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (!subcommand || !who || !doArgumentsFit) throw new WrongArguments()
  if (name === 'delete' && !yes) throw new Error(NEEDS_YES)
  return { subcommand, who }
}

async function show(deps: CommandDeps, { id }: Account): Promise<void> {
  const person = await readPerson(deps, id, { reader: BY_OPERATOR.userId })
  const { points, referrals, sessions, mails } = person
  const { token, chain } = deps.campaign
  const lines = [
    person.state === 'deleted' ? 'A deleted account' : `${person.username} <${person.email}>`,
    `id          ${person._id}`,
    `state       ${stateOf(person)}`,
    `role        ${person.role === 'admin' ? 'administrator' : 'participant'}`,
    `registered  ${person.registeredAt}`,
    `points      ${points.total} (${points.pf} ${token.symbol}, ${points.pls} ${chain.currency.symbol}, ${points.referral} for referrals)`,
    ...person.claims.map(
      ({ attempt, campaign, status, submittedAt, wallet }) =>
        `claim       attempt ${attempt} in ${campaign}: ${status.replace('_', ' ')}, sent ${submittedAt}, wallet ${wallet}`,
    ),
    `invited     ${referrals.count}${referrals.invitedBy ? `; was invited by ${referrals.invitedBy.username}` : ''}`,
    `sessions    ${sessions.length}`,
    ...mails
      .slice(0, MAX_MAILS)
      .map(
        ({ template, state, queuedAt, trouble }) =>
          `email       ${template}: ${state.replace('_', ' ')}, ${queuedAt}${trouble ? ` (${trouble})` : ''}`,
      ),
  ]
  for (const line of lines) console.log(line)
}

function stateOf(person: Person): string {
  if (person.state === 'deleted') return `deleted on ${person.deletedAt}`
  if (!person.ban) return 'open'
  return `banned since ${person.ban.at}: ${person.ban.reason ?? 'no reason is known'}`
}

type BanOptions = { reason: string | undefined; revokesApproval: boolean }

async function banPerson(deps: CommandDeps, { id, username }: Account, options: BanOptions) {
  const { reason, revokesApproval } = options
  const text = z.safeParse(plainText(1, MAX_BAN_REASON_LENGTH), reason)
  if (!text.success) throw new Error(`--reason needs 1 to ${MAX_BAN_REASON_LENGTH} characters of plain text.`)
  await ban(deps, { userId: id, reason: text.data, revokesApproval, by: BY_OPERATOR })
  console.log(`${username} is banned. We are emailing them the reason.`)
}

async function unban(deps: CommandDeps, { id, username }: Account): Promise<void> {
  await liftBan(deps, { userId: id, by: BY_OPERATOR })
  console.log(
    `The ban on ${username} is lifted. A claim that it rejected stays rejected: to change that, undo the decision in the dashboard.`,
  )
}

async function exportTo(deps: CommandDeps, { id, username }: Account, file: string): Promise<void> {
  // The export is recorded only once the file has been created.
  await explainWriting(file, () =>
    writeWholeFile(file, async (target) => {
      const data = await exportPerson(deps, id, BY_OPERATOR)
      await pipeline([`${JSON.stringify(data, null, 2)}\n`], target)
    }),
  )
  console.log(`Wrote everything stored about ${username} to ${file}.`)
}

async function remove(deps: CommandDeps, { id, username }: Account): Promise<void> {
  // Needs the server's keys, because the emails of deleted accounts are stored as keyed hashes.
  await deleteAccount({ ...deps, keys: await keysOf(deps.config) }, { userId: id, by: null })
  console.log(`The account of ${username} is deleted. We are emailing them a confirmation.`)
}
