import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { Uuid } from '#contract/protocol/parameters.ts'
import { WEBHOOK_EVENTS, WebhookEvent } from '#contract/dashboard/webhooks.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { readEffective } from '../domain/campaign/settings/overrides.ts'
import { addWebhook, removeWebhook } from '../domain/webhooks/change-webhooks.ts'
import { sendTest } from '../domain/webhooks/deliver.ts'
import { readWebhooks } from '../domain/webhooks/read-webhooks.ts'
import type { Database } from '../platform/database/database.ts'
import { createPublicPost } from '../platform/outbound/public-post.ts'
import type { Keys } from '../platform/secrets.ts'
import { keysOf, OPERATOR, readInputs, runCommand, withDatabase, WrongArguments } from './command.ts'

const USAGE = `Usage: npm run webhooks -- list
       npm run webhooks -- add URL [--events ${WEBHOOK_EVENTS.slice(0, 2).join(',')},…] (all events by default)
       npm run webhooks -- test ID
       npm run webhooks -- remove ID
Events: ${WEBHOOK_EVENTS.join(', ')}`

type CommandDeps = { db: Database; campaign: CampaignFile; keys: Keys; allowLoopback: boolean }
type Subcommand = (deps: CommandDeps) => Promise<void>

async function main(): Promise<void> {
  const subcommand = readArguments()
  const { config, campaign: file } = await readInputs()
  return withDatabase(config, async (db) => {
    const { campaign } = await readEffective(db, file)
    await subcommand({ db, campaign, keys: await keysOf(config), allowLoopback: !config.isProduction })
  })
}

function readArguments(): Subcommand {
  const options = { events: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const [name, target = '', ...rest] = positionals
  if (rest.length > 0 || (name !== 'add' && values.events !== undefined)) throw new WrongArguments()
  if (name === 'list' && target === '') return list
  if (name === 'add' && target !== '') return readAdd(target, values.events)
  if (!z.safeParse(Uuid, target).success) throw new WrongArguments()
  if (name === 'test') return (deps) => test(deps, target)
  if (name === 'remove') return (deps) => remove(deps, target)
  throw new WrongArguments()
}

function readAdd(url: string, names: string | undefined): Subcommand {
  const events = z.safeParse(z.array(WebhookEvent), names?.split(',') ?? WEBHOOK_EVENTS)
  if (!events.success) throw new WrongArguments()
  return (deps) => add(deps, url, events.data)
}

async function list({ db }: CommandDeps): Promise<void> {
  const webhooks = await readWebhooks(db)
  if (webhooks.length === 0) console.log('There are no webhooks.')
  for (const { id, url, events, isEnabled, disabledBecause, waiting } of webhooks) {
    const state = isEnabled ? 'enabled' : `disabled${disabledBecause ? ` (${disabledBecause})` : ''}`
    console.log(`${id} ${state}, ${waiting} waiting, ${events.join(',')}\n  ${url}`)
  }
}

async function add(deps: CommandDeps, url: string, events: readonly WebhookEvent[]): Promise<void> {
  const options = { ...OPERATOR, url, events, allowLoopback: deps.allowLoopback }
  const { webhook, secret } = await addWebhook(deps, options)
  console.log(`Added ${webhook.id}.`)
  console.log(`Its secret, which will not be shown again: ${secret}`)
}

async function remove({ db }: CommandDeps, id: string): Promise<void> {
  await removeWebhook({ db }, id, OPERATOR)
  console.log('Removed.')
}

async function test(deps: CommandDeps, id: string): Promise<void> {
  const sent = await sendTest(deps, createPublicPost({ allowLoopback: deps.allowLoopback }), id)
  if (sent.state !== 'delivered')
    // `failure` completes the sentence, as in “answered 500”.
    throw new Error(`Not delivered: the receiver ${sent.failure ?? 'did not answer'}.`)
  console.log(`Delivered: the receiver answered ${sent.status} after ${sent.latencyMs} ms.`)
}

await runCommand(USAGE, main)
