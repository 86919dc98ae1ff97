import { BENCHMARKS } from './benchmarks.ts'
import { endAll } from './lifetime.ts'
import { writeRecord } from './record.ts'
import type { Options } from './report.ts'

/**
 * Runs one benchmark. Arguments: its name, the options as JSON. main.ts runs each benchmark in a
 * process of its own, so that they do not affect each other.
 */

const [name = '', json = '{}'] = process.argv.slice(2)
const options = JSON.parse(json) as Options

const stop = () => void endAll().finally(() => process.exit(1))
for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'] as const) process.on(event, stop)

try {
  const measure = await BENCHMARKS[name]?.()
  if (!measure) throw new Error(`There is no benchmark ${name}.`)
  const startedAt = performance.now()
  const reports = [await measure(options)].flat()
  await writeRecord({ name, seconds: (performance.now() - startedAt) / 1000, quick: options.quick, reports })
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await endAll()
  // An open connection must not keep the next benchmark waiting.
  process.exit()
}
