import { bench } from './bench.ts'
import { down } from './down.ts'
import { failover } from './failover.ts'
import { up } from './up.ts'

/**
 * `npm run cluster -- up | bench | failover | down`: runs three PostgreSQL members under Patroni with a
 * synchronous standby, PgBouncer, HAProxy and three nodes, configured like in production (README.md).
 */

const COMMANDS: Record<string, () => Promise<void>> = { up, bench, failover, down }

const [name = '', ...rest] = process.argv.slice(2)
const command = rest.length === 0 && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
try {
  if (!command) throw new Error(`Usage: npm run cluster -- ${Object.keys(COMMANDS).join(' | ')}`)
  await command()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
