import { parseArgs } from 'node:util'
import { BENCHMARKS } from './benchmarks.ts'
import { endAll } from './lifetime.ts'
import { writeRecord } from './record.ts'

/**
 * Runs one benchmark: `node bench/measure.ts NAME [--quick] [--recipients N]`. main.ts runs this program once
 * for each benchmark, so that none affects another.
 */

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, recipients: { type: 'string' } },
})
const [name = ''] = positionals
const { quick, recipients } = values

const stop = () => void endAll().finally(() => process.exit(1))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'] as const) process.on(signal, stop)

try {
  const measure = await BENCHMARKS[name]?.()
  if (!measure) throw new Error(`There is no benchmark ${name}.`)
  const startedAt = performance.now()
  const options = { quick, ...(recipients !== undefined && { recipients: Number(recipients) }) }
  const reports = [await measure(options)].flat()
  await writeRecord({ name, seconds: (performance.now() - startedAt) / 1000, quick, reports })
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await endAll()
  // Otherwise a connection that is still open would keep the other benchmarks waiting.
  process.exit()
}
