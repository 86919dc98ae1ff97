import { parseArgs } from 'node:util'
import { readEffective } from '../domain/campaign/overrides.ts'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import type { CommandConfig } from '../config.ts'
import { count } from '../platform/count.ts'
import type { Database } from '../platform/database/database.ts'
import { createPasswordHasher } from '../platform/passwords/password-hash.ts'
import { deriveKeys, newToken, readOrMakeSecret } from '../platform/secrets.ts'
import { SEEDED_DOMAIN } from '../domain/seed/fake-people.ts'
import { removeSeeded } from '../domain/seed/remove-seeded.ts'
import { countParticipants, seedParticipants } from '../domain/seed/seed-participants.ts'
import { fail, readSettings, runCommand, withDatabase } from './command.ts'

const USAGE = `Usage: npm run seed -- [--users N] [--force] (N from 1 to 1000000, default 50)
       npm run seed -- --remove`
const IN_PRODUCTION =
  'NODE_ENV is production: made-up participants would appear on the leaderboard among real ones. Use --force to add them anyway; --remove takes them away again.'

await runCommand(main)

async function main(): Promise<number> {
  const args = readArguments()
  if (!args) return fail(USAGE)
  const { config, campaign: file } = await readSettings()
  if (args.remove) return remove(config)
  if (config.production && !args.force) return fail(IN_PRODUCTION)
  return withDatabase(config, async (db) => {
    const refused = args.force ? undefined : await refuseRealParticipants(db)
    if (refused) return fail(refused)
    await syncCampaign(db, file)
    const { campaign } = await readEffective(db, file)
    // Random, so that only the operator can log in as one of them.
    const password = newToken()
    const passwordHash = await createPasswordHasher().hash(password)
    await seedParticipants({ db, campaign, passwordHash }, args.users)
    console.log(`Added ${count(args.users, 'made-up participant')}; their emails end in .${SEEDED_DOMAIN}.`)
    console.log(`They all have the password ${password}`)
    return 0
  })
}

async function remove(config: CommandConfig): Promise<number> {
  return withDatabase(config, async (db) => {
    const keys = deriveKeys(config.appSecret ?? (await readOrMakeSecret(config.dataDir)))
    const removed = await removeSeeded({ db, keys, wake: () => {} })
    console.log(
      `Removed ${count(removed, 'made-up participant')}. Their slots are free, and their points are taken back.`,
    )
    return 0
  })
}

type Arguments = { users: number; force: boolean; remove: boolean }

function readArguments(): Arguments | undefined {
  try {
    const { values } = parseArgs({
      options: { users: { type: 'string' }, force: { type: 'boolean' }, remove: { type: 'boolean' } },
    })
    if (values.remove) {
      const isAlone = values.users === undefined && !values.force
      return isAlone ? { users: 0, force: false, remove: true } : undefined
    }
    const { users = '50', force = false } = values
    const isCount = /^[1-9][0-9]{0,5}$|^1000000$/.test(users)
    return isCount ? { users: Number(users), force, remove: false } : undefined
  } catch {
    return undefined
  }
}

async function refuseRealParticipants(db: Database): Promise<string | undefined> {
  const { real } = await countParticipants(db)
  if (real === 0) return undefined
  return `This database has ${count(real, 'real participant')}. Use --force to add made-up ones anyway.`
}
