import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isFromRegistry, type Lock, lockProblems, missingOptionals, nameOf, unhashed } from './lockfile.ts'

/**
 * `node tools/complete-lockfile.ts`: completes package-lock.json after a package was added or updated. With
 * `--check` it only reports problems.
 *
 * If the registry does not serve an optional package of another platform, npm omits it from the lock file,
 * and `npm ci` then refuses the lock file. An entry with version and platform satisfies `npm ci`. A machine
 * of that platform fetches the package or does without it. Packages for Linux, where production runs, also
 * get their hash from the registry. Registry addresses are removed, so that any registry works.
 */

const LOCK = new URL('../package-lock.json', import.meta.url)

const lock = JSON.parse(await readFile(LOCK, 'utf8')) as Lock
if (!process.argv.includes('--check')) await complete()
const problems = lockProblems(lock)
for (const problem of problems) console.log(problem)
if (problems.length > 0 && process.argv.includes('--check'))
  console.log('Run `node tools/complete-lockfile.ts`.')
process.exitCode = problems.length > 0 ? 1 : 0

async function complete(): Promise<void> {
  const added = Object.entries(lock.packages).flatMap(([place, entry]) =>
    missingOptionals(lock, place, entry),
  )
  for (const [name, entry] of added) lock.packages[`node_modules/${name}`] = entry
  for (const entry of Object.values(lock.packages)) if (isFromRegistry(entry)) delete entry.resolved
  for (const place of unhashed(lock)) await addHash(place)
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  )
  await writeFile(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(
    added.length === 0 ? 'The lock file was complete.' : `Added ${added.length} packages of other platforms:`,
  )
  for (const [name, { version }] of added) console.log(`  ${name} ${version}`)
}

async function addHash(place: string): Promise<void> {
  const entry = lock.packages[place] ?? {}
  const nameAndVersion = `${nameOf(place)}@${entry.version}`
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', nameAndVersion, 'dist.integrity'])
    entry.integrity = stdout.trim()
  } catch {
    console.log(`The registry does not serve ${nameAndVersion}.`)
  }
}
