import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import settings from './settings.json' with { type: 'json' }

export const { folder: FOLDER, address: ADDRESS, ports: PORTS } = settings

/** The names of the PostgreSQL members, the etcd members and the nodes. */
export const MEMBERS = ['one', 'two', 'three'] as const
export type Member = (typeof MEMBERS)[number]

export const portOf = (ports: readonly number[], member: Member): number =>
  ports[MEMBERS.indexOf(member)] ?? 0

export const inFolder = (...parts: string[]) => path.join(FOLDER, ...parts)

export const ORIGIN = `http://${ADDRESS}:${PORTS.balancer}`

const SECRETS = ['postgres', 'replicator', 'rewinder', 'owner', 'serving', 'app'] as const
export type Secrets = Record<(typeof SECRETS)[number], string>

export async function makeSecrets(): Promise<Secrets> {
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, randomBytes(24).toString('hex')]))
  await writeFile(inFolder('secrets.json'), JSON.stringify(secrets), { mode: 0o600 })
  return secrets as Secrets
}

export async function readSecrets(): Promise<Secrets> {
  return JSON.parse(await readFile(inFolder('secrets.json'), 'utf8')) as Secrets
}

/** By default, the balancer's port leads to the current primary. A member's port leads to that member. */
export const superuserUrl = ({ postgres }: Secrets, port = PORTS.primary) =>
  `postgres://postgres:${postgres}@${ADDRESS}:${port}/postgres`

export const ownerUrl = ({ owner }: Secrets) =>
  `postgres://dropwright:${owner}@${ADDRESS}:${PORTS.primary}/dropwright`

const TEMPLATES = path.join(import.meta.dirname, 'templates')

export type Values = Record<string, string | number>

const COMMON_VALUES: Values = {
  folder: FOLDER,
  address: ADDRESS,
  database_address: ADDRESS,
  primary_port: PORTS.primary,
  replica_port: PORTS.replica,
  pgbouncer_port: PORTS.pgbouncer,
  balancer_port: PORTS.balancer,
  cache_port: PORTS.cache,
}

/** Fills a template's `${…}` with values by their names. @throws if a value is missing. */
export async function render(template: string, values: Values): Promise<string> {
  const text = await readFile(path.join(TEMPLATES, template), 'utf8')
  return text.replace(/\$\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name] ?? COMMON_VALUES[name]
    if (value === undefined) throw new Error(`${template} needs a value for ${name}.`)
    return String(value)
  })
}

/** Writes a template to a file, which only its owner can read because of the passwords. @returns its path. */
export async function renderTo(name: string, template: string, values: Values): Promise<string> {
  const file = inFolder(name)
  await writeFile(file, await render(template, values), { mode: 0o600 })
  return file
}
