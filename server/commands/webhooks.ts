import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { Uuid } from '#contract/protocol/parameters.ts'
import { WEBHOOK_EVENTS, WebhookEvent } from '#contract/dashboard/webhooks.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { CommandConfig } from '../config.ts'
import { readEffective } from '../domain/campaign/overrides.ts'
import { addWebhook, removeWebhook } from '../domain/webhooks/change-webhooks.ts'
import { sendTest } from '../domain/webhooks/deliver.ts'
import { readWebhooks } from '../domain/webhooks/read-webhooks.ts'
import type { Database } from '../platform/database/database.ts'
import { createPublicPost } from '../platform/outbound/public-post.ts'
import { deriveKeys, type Keys, readOrMakeSecret } from '../platform/secrets.ts'
import { fail, readSettings, runCommand, withDatabase } from './command.ts'

const USAGE = `Usage: npm run webhooks -- list
       npm run webhooks -- add URL [--events ${WEBHOOK_EVENTS.slice(0, 2).join(',')},…] (all events by default)
       npm run webhooks -- test ID
       npm run webhooks -- remove ID
Events: ${WEBHOOK_EVENTS.join(', ')}`

/** The operator on the command line, who has no account. */
const OPERATOR = { actor: null }

type CommandDeps = { db: Database; campaign: CampaignFile; keys: Keys; allowLoopback: boolean }
type Verb = (deps: CommandDeps) => Promise<number>

async function main(): Promise<number> {
  const verb = readArguments()
  if (!verb) return fail(USAGE)
  const { config, campaign: file } = await readSettings()
  return withDatabase(config, async (db) => {
    const { campaign } = await readEffective(db, file)
    return verb({ db, campaign, keys: await keysOf(config), allowLoopback: !config.production })
  })
}

const keysOf = async ({ appSecret, dataDir }: CommandConfig) =>
  deriveKeys(appSecret ?? (await readOrMakeSecret(dataDir)))

/** @returns undefined for wrong arguments. */
function readArguments(): Verb | undefined {
  try {
    const { positionals, values } = parseArgs({
      options: { events: { type: 'string' } },
      allowPositionals: true,
    })
    const [name, target = '', ...rest] = positionals
    if (rest.length > 0 || (name !== 'add' && values.events !== undefined)) return undefined
    if (name === 'list' && target === '') return list
    if (name === 'add' && target !== '') return readAdd(target, values.events)
    if (!z.safeParse(Uuid, target).success) return undefined
    if (name === 'test') return (deps) => test(deps, target)
    if (name === 'remove') return (deps) => remove(deps, target)
    return undefined
  } catch {
    return undefined
  }
}

function readAdd(url: string, names: string | undefined): Verb | undefined {
  const events = z.safeParse(z.array(WebhookEvent), names?.split(',') ?? WEBHOOK_EVENTS)
  return events.success ? (deps) => add(deps, url, events.data) : undefined
}

async function list({ db }: CommandDeps): Promise<number> {
  const webhooks = await readWebhooks(db)
  if (webhooks.length === 0) console.log('There are no webhooks.')
  for (const { id, url, events, isEnabled, disabledBecause, waiting } of webhooks) {
    const state = isEnabled ? 'enabled' : `disabled${disabledBecause ? ` (${disabledBecause})` : ''}`
    console.log(`${id} ${state}, ${waiting} waiting, ${events.join(',')}\n  ${url}`)
  }
  return 0
}

async function add(deps: CommandDeps, url: string, events: readonly WebhookEvent[]): Promise<number> {
  const { allowLoopback } = deps
  const { webhook, secret } = await addWebhook(deps, { ...OPERATOR, url, events, allowLoopback })
  console.log(`Added ${webhook.id}.`)
  console.log(`Its secret, which will not be shown again: ${secret}`)
  return 0
}

async function remove({ db }: CommandDeps, id: string): Promise<number> {
  await removeWebhook({ db }, id, OPERATOR)
  console.log('Removed.')
  return 0
}

async function test(deps: CommandDeps, id: string): Promise<number> {
  const { allowLoopback } = deps
  const sent = await sendTest(deps, createPublicPost({ allowLoopback }), id)
  if (sent.state !== 'delivered')
    return fail(`Not delivered: the receiver ${sent.failure ?? 'did not answer'}.`)
  console.log(`Delivered: the receiver answered ${sent.status} after ${sent.latencyMs} ms.`)
  return 0
}

await runCommand(main)
