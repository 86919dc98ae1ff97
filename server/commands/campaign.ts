import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import type { Pause } from '#contract/campaign.ts'
import { type CampaignLife, MAX_NOTICE_LENGTH } from '#contract/dashboard/campaign-life.ts'
import { isInFourDigitYear, plainText } from '#contract/protocol/fields.ts'
import { archive } from '../domain/campaign/archive.ts'
import { createLiveCampaign, type LiveCampaign } from '../domain/campaign/live-campaign.ts'
import { pause, resume } from '../domain/campaign/pause.ts'
import { readLife } from '../domain/campaign/campaign-records.ts'
import { close, extend } from '../domain/settings/campaign-dates.ts'
import { reallocateSlots } from '../domain/slots/reallocate-slots.ts'
import { answerTexts as messages } from '../messages/success-messages.ts'
import { count } from '../platform/count.ts'
import type { Database } from '../platform/database/database.ts'
import {
  type Inputs,
  OPERATOR,
  readInputs,
  requireOpened,
  runCommand,
  withDatabase,
  withStoredPictures,
  NEEDS_YES,
  WrongArguments,
} from './command.ts'

const USAGE = `Usage: npm run campaign -- status
       npm run campaign -- pause --notice TEXT [--until 2027-01-31T12:00:00Z]
       npm run campaign -- resume
       npm run campaign -- extend --to 2027-03-31T12:00:00Z
       npm run campaign -- close --yes
       npm run campaign -- archive --yes`

type CommandDeps = {
  inputs: Inputs
  db: Database
  campaign: LiveCampaign['campaign']
  liveCampaign: LiveCampaign
}
/** Returns what to print. */
type Subcommand = (deps: CommandDeps) => Promise<string>

async function main(): Promise<void> {
  const subcommand = readArguments()
  const inputs = await readInputs()
  return withDatabase(inputs.config, async (db) => {
    await requireOpened(db, inputs.campaign)
    console.log(await subcommand(await depsOf(db, inputs)))
  })
}

async function depsOf(db: Database, inputs: Inputs): Promise<CommandDeps> {
  const liveCampaign = createLiveCampaign(db, inputs.campaign)
  await liveCampaign.refresh()
  return {
    inputs,
    db,
    liveCampaign,
    get campaign() {
      return liveCampaign.campaign
    },
  }
}

const OPTIONS = {
  notice: { type: 'string' },
  until: { type: 'string' },
  to: { type: 'string' },
  yes: { type: 'boolean' },
} as const

const parseCommandLine = () => parseArgs({ options: OPTIONS, allowPositionals: true })
type Values = ReturnType<typeof parseCommandLine>['values']

/** Which options each subcommand takes. `make` throws for wrong arguments. */
const SUBCOMMANDS: Record<string, { takes: (keyof Values)[]; make: (values: Values) => Subcommand }> = {
  status: { takes: [], make: () => async (deps) => statusOf(await readLife(deps)) },
  pause: { takes: ['notice', 'until'], make: readPause },
  resume: { takes: [], make: () => subcommandOf(messages.campaignResumed, (deps) => resume(deps, OPERATOR)) },
  extend: { takes: ['to'], make: readExtend },
  close: {
    takes: ['yes'],
    make: requireYes(settingSubcommand(messages.campaignClosed, (deps) => close(deps, OPERATOR))),
  },
  archive: { takes: ['yes'], make: requireYes(subcommandOf(messages.campaignArchived, archiveNow)) },
}

function subcommandOf(message: string, act: (deps: CommandDeps) => Promise<unknown>): Subcommand {
  return (deps) => act(deps).then(() => message)
}

/** A subcommand that changes settings. Only such a one needs the pictures of the campaign file. */
function settingSubcommand(message: string, act: (deps: CommandDeps) => Promise<unknown>): Subcommand {
  return subcommandOf(message, async ({ db, inputs }) => {
    const campaign = await withStoredPictures(db, inputs)
    await act(await depsOf(db, { ...inputs, campaign }))
  })
}

function requireYes(subcommand: Subcommand) {
  return ({ yes = false }: Values): Subcommand => {
    if (!yes) throw new Error(NEEDS_YES)
    return subcommand
  }
}

function readArguments(): Subcommand {
  const { positionals, values } = parseCommandLine()
  const [name = '', ...rest] = positionals
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
  const hasForeignOption = Object.keys(values).some(
    (option) => !subcommand?.takes.includes(option as keyof Values),
  )
  if (!subcommand || hasForeignOption || rest.length > 0) throw new WrongArguments()
  return subcommand.make(values)
}

/** A time with its offset from UTC, with or without seconds. */
const Moment = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })])
const isMoment = (text: string | undefined): text is string =>
  z.safeParse(Moment, text).success && isInFourDigitYear(text ?? '')

const notMoment = (option: string) =>
  new Error(`${option} needs a date with time and time zone, like 2027-01-31T12:00:00Z.`)

function readPause({ notice, until }: Values): Subcommand {
  if (notice === undefined) throw new WrongArguments()
  const parsed = z.safeParse(plainText(1, MAX_NOTICE_LENGTH), notice)
  if (!parsed.success) throw new Error(`--notice needs 1 to ${MAX_NOTICE_LENGTH} characters of plain text.`)
  if (until !== undefined && !isMoment(until)) throw notMoment('--until')
  const options = { ...OPERATOR, notice: parsed.data, until: until ?? null }
  return async (deps) => {
    const earlierPause = await pause(deps, options)
    return earlierPause
      ? `The campaign was already paused. ${messages.noticeChanged} Before:\n${describePause(earlierPause)}`
      : messages.campaignPaused
  }
}

function readExtend({ to }: Values): Subcommand {
  if (to === undefined) throw new WrongArguments()
  if (!isMoment(to)) throw notMoment('--to')
  return settingSubcommand(messages.campaignExtended, (deps) => extend(deps, to, OPERATOR))
}

async function archiveNow(deps: CommandDeps): Promise<void> {
  await archive(deps, OPERATOR)
  // Ends the waiting list. A running server would, but the next server to start may serve another campaign.
  await reallocateSlots(deps)
}

const STAGES: Record<CampaignLife['stage'], string> = {
  before: 'not open yet',
  open: 'open',
  full: 'open, all slots taken',
  paused: 'paused',
  reviewing: 'closed, in review',
  paying: 'closed, payout due',
  paid: 'paid',
}

function statusOf(life: CampaignLife): string {
  const { id, name, stage, archivedAt, paused, slots } = life
  return [
    `${name} (${id}): ${archivedAt === null ? STAGES[stage] : `archived on ${archivedAt}`}`,
    `  opens ${life.opensAt}, ${life.closesAt ? `closes ${life.closesAt}` : 'stays open until you close it'}`,
    `  ${slots.left} of ${slots.total} slots left, ${life.held} kept or reserved, ${count(life.waiting, 'person', 'people')} on the waiting list`,
    `  ${count(life.undecided, 'claim')} and ${count(life.appeals, 'appeal')} waiting for a reviewer`,
    ...(paused ? [describePause(paused)] : []),
  ].join('\n')
}

const describePause = ({ since, until, notice }: Pause) =>
  `  paused since ${since}${until ? `, until about ${until}` : ''}: ${notice}`

await runCommand(USAGE, main)
