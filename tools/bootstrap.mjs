// Sets up what is missing, then runs one of the commands below under the right Node.
// Plain JavaScript, and nothing but Node's own modules: it must run on Node 20 in a fresh clone.
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { buildSite } from './setup/build.mjs'
import { endWithParent, run, runAgainOnChange } from './setup/children.mjs'
import { parentEnvironment, programEnvironment } from './setup/environment.mjs'
import { installPackages, linkPostgresLibraries } from './setup/install.mjs'
import { nodeBinary } from './setup/node-binary.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')

/**
 * needsBuild: the command serves the built site. mode: its NODE_ENV, empty for none, where the shell's is not meant for it; what
 * serves or works on real data goes by the operator's.
 */
const COMMANDS = {
  start: { program: ['server/main.ts'], needsBuild: true },
  dev: {
    program: ['server/main.ts', '--dev'],
    restartOn: ['server', 'contract', 'campaign.config.ts'],
    mode: 'development',
  },
  build: { needsBuild: true, force: true },
  test: { program: ['tools/test.ts'], needsBuild: true, mode: '' },
  check: { program: ['tools/check.ts'], mode: '' },
  admin: { program: ['server/commands/admin.ts'] },
  journal: { program: ['server/commands/journal.ts'] },
  seed: { program: ['server/commands/seed.ts'] },
  screenshots: { program: ['tools/screenshots.ts'], needsBuild: true, mode: '' },
  bench: { program: ['bench/main.ts'], needsBuild: true, mode: '' },
  chaos: { program: ['chaos/main.ts'], needsBuild: true, mode: '' },
  'types-database': { program: ['tools/types-database.ts'] },
}

const [name, ...given] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (!command) fail(`Usage: node tools/bootstrap.mjs ${Object.keys(COMMANDS).join(' | ')}`)

endWithParent()
try {
  // Watchers would keep us here.
  process.exit(await main(command))
} catch (error) {
  fail(error.message)
}

async function main({ program, needsBuild = false, force = false, restartOn, mode }) {
  await installPackages(ROOT)
  await linkPostgresLibraries(ROOT)
  const node = nodeBinary(ROOT)
  const env = {
    // Compiled code is kept between starts, which saves a quarter of the time to ready.
    NODE_COMPILE_CACHE: path.join(ROOT, '.cache/node'),
    // As many password hashes as cores may run at once; files and name look-ups need threads besides.
    UV_THREADPOOL_SIZE: String(availableParallelism() + 4),
    ...programEnvironment(ROOT, process.env, { mode, parent: parentEnvironment() }),
  }
  const options = { cwd: ROOT, env }
  if (needsBuild) await buildSite(ROOT, node, options, force)
  if (!program) return 0
  const args = [...program, ...given]
  return restartOn ? runAgainOnChange(node, args, options, restartOn) : run(node, args, options)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
