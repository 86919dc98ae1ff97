import { readFile, writeFile } from 'node:fs/promises'

/**
 * Completes package-lock.json after a package was added or updated: `node tools/complete-lockfile.ts`.
 *
 * npm leaves an optional package of another platform out of the lock file when the registry does not
 * serve it, and `npm ci` then refuses that very lock file. An entry with the version and the platform is
 * enough for `npm ci`; a machine of that platform fetches the package, or goes without it. It also takes
 * out the registry's address, so that the lock file is the same whichever registry was asked.
 */
const LOCK = new URL('../package-lock.json', import.meta.url)

type Entry = {
  version?: string
  resolved?: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optional?: boolean
  optionalDependencies?: Record<string, string>
}
type Lock = { packages: Record<string, Entry> }

const lock = JSON.parse(await readFile(LOCK, 'utf8')) as Lock
const added = Object.entries(lock.packages).flatMap(([place, entry]) => missingSiblings(lock, place, entry))
for (const [name, entry] of added) lock.packages[`node_modules/${name}`] = entry
for (const entry of Object.values(lock.packages)) if (isFromRegistry(entry)) delete entry.resolved
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
)
await writeFile(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
console.log(
  added.length === 0 ? 'The lock file was complete.' : `Added ${added.length} packages of other platforms:`,
)
for (const [name, { version }] of added) console.log(`  ${name} ${version}`)

function missingSiblings({ packages }: Lock, place: string, entry: Entry): [string, Entry][] {
  return Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`])
    .map(([name, version]) => [name, { version, ...platformOf(name), optional: true }])
}

/** The names of such packages end with the platform: `-linux-arm64-musl`, `-win32-x64-msvc`, `-wasm32-wasi`. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  if (name.endsWith('-wasm32-wasi')) return { cpu: ['wasm32'] }
  const found = /(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-([a-z]+))?$/.exec(name)
  if (!found) throw new Error(`${name}: the platform of this optional package is not known`)
  const [, os = '', arch = '', abi = ''] = found
  const cpu = arch === 'amd64' ? 'x64' : arch
  const libc = os !== 'linux' ? {} : { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] }
  return { os: [os], cpu: [cpu], ...libc }
}

function isFromRegistry({ resolved }: Entry): boolean {
  return resolved !== undefined && /^https?:.*\.tgz$/.test(resolved)
}
