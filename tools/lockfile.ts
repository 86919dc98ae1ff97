/** The part of package-lock.json that is ours to judge. */
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

/**
 * What Linux on x64 and arm64 installs and no registry within reach serves, so that its hash is not known. Nothing of
 * the product: the chain of the tests on arm64.
 */
const WITHOUT_HASH = new Set(['@foundry-rs/anvil-linux-arm64'])

/**
 * What would make `npm ci` refuse the lock file, or install something whose content is not pinned. The product runs on Linux
 * with glibc, on x64 and arm64: there every package must have its hash.
 * @returns a line for each problem.
 */
export function lockProblems(lock: Lock): string[] {
  const entries = Object.entries(lock.packages)
  return [
    ...entries.flatMap(([place, entry]) =>
      missingSiblings(lock, place, entry).map(([name]) => `${name} is missing: ${place} asks for it`),
    ),
    ...entries
      .filter(([, entry]) => isFromRegistry(entry))
      .map(([place]) => `${place} names a registry: the lock file fits whichever is asked`),
    ...unhashed(lock)
      .filter((place) => !WITHOUT_HASH.has(nameOf(place)))
      .map((place) => `${place} has no integrity`),
  ]
}

/** The places of all packages that our platforms install and that have no hash. */
export function unhashed({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([place, entry]) => place.startsWith('node_modules/') && !entry.link && !entry.inBundle)
    .filter(([, entry]) => isOurs(entry) && entry.integrity === undefined)
    .map(([place]) => place)
}

export const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13)

function isOurs({ os, cpu, libc }: Entry): boolean {
  return fits(os, 'linux') && (fits(cpu, 'x64') || fits(cpu, 'arm64')) && fits(libc, 'glibc')
}

/** npm's lists, or single words, name what fits, or with a `!` what does not. */
function fits(words: string | string[] | undefined, platform: string): boolean {
  const list = [words ?? []].flat()
  if (list.includes(platform)) return true
  return list.every((one) => one.startsWith('!')) && !list.includes(`!${platform}`)
}

/** Optional packages that an entry asks for and the lock file does not have. */
export function missingSiblings({ packages }: Lock, place: string, entry: Entry): [string, Entry][] {
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

export function isFromRegistry({ resolved }: Entry): boolean {
  return resolved !== undefined && /^https?:.*\.tgz$/.test(resolved)
}
