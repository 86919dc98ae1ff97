/** A part of an entry in package-lock.json. */
export type Entry = {
  version?: string
  resolved?: string
  integrity?: string
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  link?: boolean
  inBundle?: boolean
  optional?: boolean
  optionalDependencies?: Record<string, string>
}
export type Lock = { packages: Record<string, Entry> }

const FOLDER = 'node_modules/'

/** No reachable registry serves the tests' blockchain node for arm64, so its hash is unknown. */
const WITHOUT_HASH = new Set(['@foundry-rs/anvil-linux-arm64'])

/**
 * Finds what would make `npm ci` refuse the lock file or install unpinned content. Every package that Linux
 * with glibc installs on x64 or arm64 must have a hash.
 * @returns one line per problem
 */
export function lockProblems(lock: Lock): string[] {
  const entries = Object.entries(lock.packages)
  return [
    ...entries.flatMap(([place, entry]) =>
      missingOptionals(lock, place, entry).map(([name]) => `${name} is missing: ${place} asks for it`),
    ),
    ...entries
      .filter(([, entry]) => isFromRegistry(entry))
      .map(([place]) => `${place} names a registry: the lock file must not depend on one`),
    ...unhashed(lock)
      .filter((place) => !WITHOUT_HASH.has(nameOf(place)))
      .map((place) => `${place} has no integrity`),
  ]
}

/** The places (see `nameOf`) of the packages that Linux installs and that have no hash. */
export function unhashed({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([place, entry]) => place.startsWith(FOLDER) && !entry.link && !entry.inBundle)
    .filter(([, entry]) => isForOurLinux(entry) && entry.integrity === undefined)
    .map(([place]) => place)
}

/** @param place a key of `packages`, such as `node_modules/a/node_modules/@scope/b`. @returns `@scope/b`. */
export const nameOf = (place: string): string => place.slice(place.lastIndexOf(FOLDER) + FOLDER.length)

function isForOurLinux({ os, cpu, libc }: Entry): boolean {
  return fits(os, 'linux') && (fits(cpu, 'x64') || fits(cpu, 'arm64')) && fits(libc, 'glibc')
}

/** npm lists the allowed platforms, or with a `!` the excluded ones. */
function fits(values: string | string[] | undefined, platform: string): boolean {
  const list = [values ?? []].flat()
  if (list.includes(platform)) return true
  return list.every((value) => value.startsWith('!')) && !list.includes(`!${platform}`)
}

/** An entry's optional dependencies that the lock file lacks, each with the entry to add. */
export function missingOptionals({ packages }: Lock, place: string, entry: Entry): [string, Entry][] {
  return Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !packages[FOLDER + name] && !packages[`${place}/${FOLDER}${name}`])
    .map(([name, version]) => [name, { version, ...platformOf(name), optional: true }])
}

/** Derives the platform from the end of a name: `-linux-arm64-musl`, `-win32-x64-msvc`, `-wasm32-wasi`. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  if (name.endsWith('-wasm32-wasi')) return { cpu: ['wasm32'] }
  const match = /(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-([a-z]+))?$/.exec(name)
  if (!match) throw new Error(`${name}: the platform of this optional package is not known`)
  const [, os = '', arch = '', abi = ''] = match
  const cpu = arch === 'amd64' ? 'x64' : arch
  const libc = os !== 'linux' ? {} : { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] }
  return { os: [os], cpu: [cpu], ...libc }
}

export function isFromRegistry({ resolved }: Entry): boolean {
  return resolved !== undefined && /^https?:.*\.tgz$/.test(resolved)
}
