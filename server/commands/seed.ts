import { parseArgs } from 'node:util'
import { loadCampaign } from '../campaign/load-campaign.ts'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { readConfig } from '../config.ts'
import { openConfiguredDatabase, type OpenDatabase } from '../open-database.ts'
import { createPasswordHasher } from '../platform/password-hash.ts'
import { newToken } from '../platform/secrets.ts'
import { SEEDED_DOMAIN } from '../seed/made-up.ts'
import { countParticipants, plant } from '../seed/plant.ts'

const USAGE = 'Usage: npm run seed -- [--users N] [--force] (N from 1 to 1000000, 50 when not given)'

process.exitCode = await main()

async function main(): Promise<number> {
  const given = readArguments()
  if (!given) return complain(USAGE)
  const config = readConfig(process.env)
  if ('problems' in config) return complain(...config.problems)
  const campaign = await loadCampaign(config.campaignFile)
  if ('problems' in campaign) return complain(...campaign.problems)
  const log = { info: () => {}, warn: console.error }
  const database = await openConfiguredDatabase(config, log, { beside: true })
  try {
    const refused = given.force ? undefined : await refuseReal(database)
    if (refused) return complain(refused)
    await syncCampaign(database.db, campaign)
    // Nobody who was not told could log in as one of them.
    const password = newToken()
    const passwordHash = await createPasswordHasher().hash(password)
    await plant({ db: database.db, campaign, passwordHash }, given.users)
    console.log(`${given.users} made-up participants were added; their e-mails end in .${SEEDED_DOMAIN}.`)
    console.log(`They all have the password ${password}`)
    return 0
  } finally {
    await database.close()
  }
}

function readArguments(): { users: number; force: boolean } | undefined {
  try {
    const { values } = parseArgs({ options: { users: { type: 'string' }, force: { type: 'boolean' } } })
    const { users = '50', force = false } = values
    const isCount = /^[1-9][0-9]{0,5}$|^1000000$/.test(users)
    return isCount ? { users: Number(users), force } : undefined
  } catch {
    return undefined
  }
}

async function refuseReal({ db }: OpenDatabase): Promise<string | undefined> {
  const { real } = await countParticipants(db)
  if (real === 0) return undefined
  return `This database holds ${real} real participants. Use --force to put made-up ones beside them.`
}

function complain(...lines: readonly string[]): number {
  for (const line of lines) console.error(line)
  return 1
}
