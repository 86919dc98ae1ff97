// Installs packages and builds site and server if needed, then runs one of the commands below with a suitable
// Node. Plain JavaScript without dependencies, because it has to run on Node 20 in a fresh clone.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { buildAll, bundleOf, compileMessages } from './setup/build.mjs'
import { endWithParent, run, runAgainOnChange } from './setup/children.mjs'
import { memoryEnvironment, parentEnvironment, programEnvironment } from './setup/environment.mjs'
import { installPackages, linkPostgresLibraries } from './setup/install.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')

/**
 * - program: the arguments for Node
 * - source: instead of `program`, a command that also has a bundle (see bundleOf)
 * - needsBuild: builds the site and the server first, unless they are up to date
 * - force: builds even if they are up to date
 * - restartOn: restarts the program when one of these paths changes
 * - mode: overrides NODE_ENV, '' unsets it. Commands on real data keep the operator's NODE_ENV.
 */
const COMMANDS = {
  start: { program: ['dist/server/main.js'], needsBuild: true },
  dev: {
    program: ['server/main.ts', '--dev'],
    restartOn: ['server', 'contract', 'messages', 'campaign.config.ts'],
    mode: 'development',
  },
  build: { needsBuild: true, force: true },
  test: { program: ['tools/test.ts'], needsBuild: true, mode: '' },
  check: { program: ['tools/check.ts'], mode: '' },
  admin: { source: 'server/commands/admin.ts' },
  doctor: { source: 'server/commands/doctor.ts' },
  backup: { source: 'server/commands/backup.ts' },
  restore: { source: 'server/commands/restore.ts' },
  journal: { source: 'server/commands/journal.ts' },
  settings: { source: 'server/commands/settings.ts' },
  people: { source: 'server/commands/people.ts' },
  seed: { source: 'server/commands/seed.ts' },
  webhooks: { source: 'server/commands/webhooks.ts' },
  payout: { source: 'server/commands/payout.ts', needsBuild: true },
  campaign: { source: 'server/commands/campaign.ts' },
  screenshots: { program: ['tools/screenshots.ts'], needsBuild: true, mode: '' },
  bench: { program: ['bench/main.ts'], needsBuild: true, mode: '' },
  chaos: { program: ['chaos/main.ts'], needsBuild: true, mode: '' },
  cluster: { program: ['deploy/cluster/main.ts'], needsBuild: true, mode: '' },
  'types-database': { program: ['tools/types-database.ts'] },
}

/** Tells a service manager that a restart cannot help. The same as in server/platform/misconfigured.ts. */
const MISCONFIGURED = 78

/** The first Node with argon2. */
const MIN_MAJOR = 24
const MIN_MINOR = 7

/** The user of a service often cannot write to the checkout. Its owner has to build after an update. */
const DENIED = new Set(['EACCES', 'EPERM', 'EROFS'])
const OTHER_USER = `Something has to be installed or built in ${ROOT}, which this user cannot do: run "npm run build" there as its owner.`

const [name, ...forwarded] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (!command) fail(`Usage: node tools/bootstrap.mjs ${Object.keys(COMMANDS).join(' | ')}`)

// Vite reads #, ? and * as parts of a URL or a pattern. PostgreSQL's initdb passes its path to a shell in
// double quotes, where the others are special.
const unusable = /[#?*$`"\\]/.exec(ROOT)?.[0]
if (unusable)
  fail(
    `Dropwright cannot be set up in a folder with a ${unusable} in its path: rename ${ROOT}`,
    MISCONFIGURED,
  )

endWithParent()
try {
  // File watchers would keep the process alive.
  process.exit(await main(command))
} catch (error) {
  if (DENIED.has(error.code)) fail(`${error.message}\n${OTHER_USER}`, MISCONFIGURED)
  fail(error.message)
}

async function main({ source, program, needsBuild = false, force = false, restartOn, mode }) {
  await installPackages(ROOT)
  await linkPostgresLibraries(ROOT)
  const node = nodeBinary()
  const env = {
    // Cached compiled code makes a start a quarter faster.
    NODE_COMPILE_CACHE: path.join(ROOT, '.cache/node'),
    // One thread per core for password hashes, and four for file access and DNS.
    UV_THREADPOOL_SIZE: String(availableParallelism() + 4),
    ...programEnvironment(ROOT, process.env, { mode, parent: parentEnvironment() }),
    ...memoryEnvironment(process.env),
  }
  const options = { cwd: ROOT, env }
  await compileMessages(ROOT, node, options)
  if (needsBuild) await buildAll(ROOT, node, options, force)
  if (!source && !program) return 0
  const args = [...(program ?? [bundleOf(ROOT, source)]), ...forwarded]
  if (!restartOn) return run(node, args, options)
  const prepare = () => compileMessages(ROOT, node, options)
  return runAgainOnChange(node, args, options, { paths: restartOn, prepare })
}

/** The current Node if it is new enough, else the one that npm installed. @throws if there is none. */
function nodeBinary() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > MIN_MAJOR || (major === MIN_MAJOR && minor >= MIN_MINOR)) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const installed = path.join(ROOT, 'node_modules', `node-${platform}`, 'bin', 'node')
  if (existsSync(installed)) return installed
  throw new Error(
    `Dropwright needs Node ${MIN_MAJOR}.${MIN_MINOR} or newer; this is ${process.versions.node}, and npm has none for ${platform}. ` +
      `Please install Node ${MIN_MAJOR} from https://nodejs.org`,
  )
}

function fail(message, code = 1) {
  console.error(message)
  process.exit(code)
}
