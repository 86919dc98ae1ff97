import { parseArgs } from 'node:util'
import { readEffective } from '../domain/campaign/settings/overrides.ts'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import type { CommandConfig } from '../config/config.ts'
import { count } from '../platform/count.ts'
import type { Database } from '../platform/database/database.ts'
import { createPasswordHasher } from '../platform/passwords/password-hash.ts'
import { newToken } from '../platform/secrets.ts'
import { SEEDED_DOMAIN } from '../domain/seed/fake-people.ts'
import { countParticipants, removeSeeded, seedParticipants } from '../domain/seed/seed-participants.ts'
import {
  keysOf,
  readInputs,
  runCommand,
  runNoJobs,
  withDatabase,
  withStoredPictures,
  WrongArguments,
} from './command.ts'

const USAGE = `Usage: npm run seed -- [--users N] [--force] (N from 1 to 1000000, default 50)
       npm run seed -- --remove`
const REFUSED_IN_PRODUCTION =
  'NODE_ENV is production: made-up participants would appear on the leaderboard among real ones. Use --force to add them anyway; --remove takes them away again.'

await runCommand(USAGE, main)

async function main(): Promise<void> {
  const args = readArguments()
  const inputs = await readInputs()
  const { config } = inputs
  if (args.isRemoval) return remove(config)
  if (config.isProduction && !args.isForced) throw new Error(REFUSED_IN_PRODUCTION)
  return withDatabase(config, async (db) => {
    if (!args.isForced) await refuseRealParticipants(db)
    const file = await withStoredPictures(db, inputs)
    await syncCampaign(db, file)
    const { campaign } = await readEffective(db, file)
    // Random, so that only the operator can log in as a made-up participant.
    const password = newToken()
    const passwordHash = await createPasswordHasher().hash(password)
    await seedParticipants({ db, campaign, passwordHash }, args.userCount)
    console.log(
      `Added ${count(args.userCount, 'made-up participant')}; their emails end in .${SEEDED_DOMAIN}.`,
    )
    console.log(`They all have the password ${password}`)
  })
}

type Arguments = { userCount: number; isForced: boolean; isRemoval: boolean }

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: { users: { type: 'string' }, force: { type: 'boolean' }, remove: { type: 'boolean' } },
  })
  const { users = '50', force: isForced = false, remove: isRemoval = false } = values
  const hasOtherOptions = values.users !== undefined || isForced
  const isCount = /^[1-9][0-9]{0,5}$|^1000000$/.test(users)
  if (!isCount || (isRemoval && hasOtherOptions)) throw new WrongArguments()
  return { userCount: Number(users), isForced, isRemoval }
}

async function remove(config: CommandConfig): Promise<void> {
  return withDatabase(config, async (db) => {
    const removed = await removeSeeded({ db, keys: await keysOf(config), runSoon: runNoJobs })
    console.log(
      removed === 0
        ? 'There are no made-up participants.'
        : `Removed ${count(removed, 'made-up participant')}. Their slots are free, and their points are taken back.`,
    )
  })
}

async function refuseRealParticipants(db: Database): Promise<void> {
  const { real } = await countParticipants(db)
  if (real > 0)
    throw new Error(
      `This database has ${count(real, 'real participant')}. Use --force to add made-up ones anyway.`,
    )
}
