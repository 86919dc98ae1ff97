import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** Hashes the platform, and names and contents of files and folders, except tests. Missing files are fine. */
export function fingerprint(root, names) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const name of names) add(hash, root, name)
  return hash.digest('hex')
}

function add(hash, root, name) {
  const file = path.join(root, name)
  const stats = statSync(file, { throwIfNoEntry: false })
  hash.update(`\0${name}\0`)
  if (stats?.isDirectory()) {
    const names = readdirSync(file).filter((entry) => !entry.endsWith('.test.ts'))
    for (const entry of names.toSorted()) add(hash, root, path.join(name, entry))
  } else if (stats) hash.update(readFileSync(file))
}

/** The text of a file, or undefined if it cannot be read. */
export function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
