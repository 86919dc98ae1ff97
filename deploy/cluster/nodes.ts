import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { httpGet, until } from './query.ts'
import { start } from './processes.ts'
import { ADDRESS, inFolder, type Member, ORIGIN, portOf, PORTS, renderTo, type Secrets } from './settings.ts'

const CHECKOUT = path.resolve(import.meta.dirname, '../..')
/** Nothing listens there, so that all outside services are unreachable. */
const NOWHERE = 'http://127.0.0.1:9'

/** Starts a node of the product with the environment of an operator; resolves when it is ready. */
export async function startNode(member: Member, secrets: Secrets): Promise<void> {
  const file = inFolder(`dropwright-${member}.env`)
  await renderTo(file, 'dropwright.env', {
    node_address: ADDRESS,
    node_port: portOf(PORTS.nodes, member),
    public_url: ORIGIN,
    smtp_url: 'smtp://127.0.0.1:9',
    app_secret: secrets.app,
    balancer_address: ADDRESS,
    serving_password: secrets.serving,
    owner_password: secrets.owner,
    pgbouncer_port: PORTS.pgbouncer,
    database_address: ADDRESS,
    primary_port: PORTS.primary,
    data_dir: inFolder(`data-${member}`),
  })
  await start({
    name: `node-${member}`,
    command: [process.execPath, path.join(CHECKOUT, 'dist/server/main.js')],
    env: {
      ...(parseEnv(await readFile(file, 'utf8')) as Record<string, string>),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      CAMPAIGN_CONFIG: inFolder('campaign.json'),
      PRICE_API_URL: NOWHERE,
      CHAIN_RPC_URL: NOWHERE,
      OEMBED_URL: `${NOWHERE}/oembed`,
      TELEGRAM_API_URL: NOWHERE,
    },
  })
  await until(`node ${member}`, async () => {
    const { statusCode } = (await httpGet(portOf(PORTS.nodes, member), '/readyz')).resume()
    return statusCode === 200
  })
}
