import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import type { Account } from '#server/platform/database/embedded/cluster-location.ts'
import testCampaign from '#server/testing/campaign.ts'
import { NO_SERVICES } from '#server/testing/product.ts'
import { httpGet, queryPrimary, until } from './query.ts'
import { ensurePackages, PROGRAMS, findUnprivilegedAccount } from './packages.ts'
import { listRunning, start } from './processes.ts'
import {
  ADDRESS,
  FOLDER,
  inFolder,
  makeSecrets,
  type Member,
  MEMBERS,
  ORIGIN,
  portOf,
  PORTS,
  render,
  renderTo,
  type Secrets,
  type Values,
} from './settings.ts'

const CHECKOUT = path.resolve(import.meta.dirname, '../..')
/** More than the benchmarks take. */
const SLOTS = 1_000_000

/** Starts everything in an empty folder: etcd, PostgreSQL under Patroni, HAProxy, PgBouncer, three nodes. */
export async function up(): Promise<void> {
  if ((await listRunning()).length > 0) throw new Error(`The cluster in ${FOLDER} is up already.`)
  await ensurePackages()
  const account = await findUnprivilegedAccount()
  await makeEmptyFolder()
  const secrets = await makeSecrets()
  if (account) await chown(FOLDER, account.uid, account.gid)

  for (const member of MEMBERS) await startEtcd(member, account)
  for (const member of MEMBERS) await startPatroni(member, secrets, account)
  await startBalancer()
  await startPooler(secrets, account)
  await until('a primary with a synchronous standby', () => hasBothStandbys(secrets))

  await createRoles(secrets)
  await writeCampaign()
  for (const member of MEMBERS) await startNode(member, secrets)
  console.log(`Ready: ${ORIGIN}, with everything in ${FOLDER}. npm run cluster -- down stops it.`)
}

async function makeEmptyFolder(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true })
  // Everyone can write to the parent folder. This fails if somebody has just put something here.
  await mkdir(FOLDER, { mode: 0o711 })
  await mkdir(inFolder('log'))
}

async function startEtcd(member: Member, account: Account | undefined): Promise<void> {
  const members = MEMBERS.map((name) => `${name}=http://${ADDRESS}:${portOf(PORTS.etcdPeer, name)}`)
  const values = {
    member,
    etcd_port: portOf(PORTS.etcd, member),
    etcd_peer_port: portOf(PORTS.etcdPeer, member),
    etcd_members: members.join(','),
  }
  const file = await configure(`etcd-${member}.yml`, 'etcd.yml', values, account)
  await start({ name: `etcd-${member}`, command: [PROGRAMS['etcd-server'], '--config-file', file], account })
}

/** Writes a configuration file that the program's account can read. @returns its path. */
async function configure(name: string, template: string, values: Values, account?: Account): Promise<string> {
  const file = await renderTo(name, template, values)
  if (account) await chown(file, account.uid, account.gid)
  return file
}

export async function startPatroni(
  member: Member,
  secrets: Secrets,
  account: Account | undefined,
): Promise<void> {
  const values = {
    member,
    network: `${ADDRESS}/32`,
    patroni_port: portOf(PORTS.patroni, member),
    postgres_port: portOf(PORTS.postgres, member),
    etcd_hosts: PORTS.etcd.map((port) => `${ADDRESS}:${port}`).join(','),
    shared_buffers: '128MB',
    postgres_password: secrets.postgres,
    replicator_password: secrets.replicator,
    rewinder_password: secrets.rewinder,
  }
  const file = await configure(`patroni-${member}.yml`, 'patroni.yml', values, account)
  await start({ name: `patroni-${member}`, command: [PROGRAMS.patroni, file], account })
}

/** The health checks of PostgreSQL go to Patroni, which knows whether a member is the primary. */
async function startBalancer(): Promise<void> {
  const servers = (ports: readonly number[], optionsOf: (name: Member) => string) => {
    const lineOf = (name: Member) => `    server ${name} ${ADDRESS}:${portOf(ports, name)} ${optionsOf(name)}`
    return MEMBERS.map(lineOf).join('\n')
  }
  const checkedBy = (ports: readonly number[]) => (name: Member) => `check port ${portOf(ports, name)}`
  const file = await renderTo('haproxy.cfg', 'haproxy.cfg', {
    public_host: new URL(ORIGIN).host,
    node_servers: servers(PORTS.nodes, checkedBy(PORTS.nodes)),
    stream_servers: servers(PORTS.nodes, (name) => `track nodes/${name}`),
    primary_servers: servers(PORTS.postgres, checkedBy(PORTS.patroni)),
    replica_servers: servers(PORTS.postgres, checkedBy(PORTS.patroni)),
  })
  await start({ name: 'haproxy', command: [PROGRAMS.haproxy, '-db', '-f', file] })
}

async function startPooler(secrets: Secrets, account: Account | undefined): Promise<void> {
  const passwords = { serving_password: secrets.serving }
  await configure('userlist.txt', 'userlist.txt', passwords, account)
  const file = await configure('pgbouncer.ini', 'pgbouncer.ini', { pool_size: 30 }, account)
  await start({ name: 'pgbouncer', command: [PROGRAMS.pgbouncer, file], account })
}

/** Whether the primary answers and has both standbys, and one of them is synchronous. */
export async function hasBothStandbys(secrets: Secrets): Promise<boolean> {
  const rows = await queryPrimary<{ sync_state: string }>(
    secrets,
    'select sync_state from pg_stat_replication',
  )
  return rows.length >= MEMBERS.length - 1 && rows.some(({ sync_state: state }) => state === 'sync')
}

async function createRoles(secrets: Secrets): Promise<void> {
  const script = await render('roles.sql', {
    owner_password: secrets.owner,
    serving_password: secrets.serving,
  })
  const statements = script.replace(/^--.*$/gm, '').split(';')
  for (const statement of statements.filter((text) => text.trim() !== ''))
    await queryPrimary(secrets, statement)
}

async function writeCampaign(): Promise<void> {
  const campaign = { ...testCampaign, airdrop: { ...testCampaign.airdrop, slots: SLOTS } }
  await writeFile(inFolder('campaign.json'), JSON.stringify(campaign))
}

/** Starts a node of the product. Resolves when it is ready. */
export async function startNode(member: Member, secrets: Secrets): Promise<void> {
  const file = await renderTo(`dropwright-${member}.env`, 'dropwright.env', {
    node_address: ADDRESS,
    node_port: portOf(PORTS.nodes, member),
    public_url: ORIGIN,
    // Nothing listens there, so emails stay in the queue.
    smtp_url: 'smtp://127.0.0.1:9',
    app_secret: secrets.app,
    balancer_address: ADDRESS,
    serving_password: secrets.serving,
    owner_password: secrets.owner,
    data_dir: inFolder(`data-${member}`),
  })
  await start({
    name: `node-${member}`,
    command: [process.execPath, path.join(CHECKOUT, 'dist/server/main.js')],
    env: {
      ...(parseEnv(await readFile(file, 'utf8')) as Record<string, string>),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      CAMPAIGN_CONFIG: inFolder('campaign.json'),
      ...NO_SERVICES,
    },
  })
  await until(`node ${member}`, async () => {
    const { statusCode } = (await httpGet(portOf(PORTS.nodes, member), '/readyz')).resume()
    return statusCode === 200
  })
}
