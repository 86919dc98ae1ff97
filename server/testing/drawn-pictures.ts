import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, rename } from 'node:fs/promises'
import path from 'node:path'

/**
 * The folder in which the products of a test run share the pictures that one of them has drawn: drawing takes
 * two seconds of a core.
 */
const sharedFolder = () => process.env['TEST_PICTURES']

/** Copies to a new DATA_DIR what others have drawn. Pictures are named after a hash of their content. */
export async function borrowPictures(dataDir: string): Promise<void> {
  const from = sharedFolder()
  if (from) await copyMissing(from, path.join(dataDir, 'pictures'))
}

/** Copies what a product has drawn to the shared folder, for others. */
export async function lendPictures(dataDir: string): Promise<void> {
  const to = sharedFolder()
  if (to) await copyMissing(path.join(dataDir, 'pictures'), to)
}

/** Copies under another name first, then renames, so that nobody reads half a picture. */
async function copyMissing(from: string, to: string): Promise<void> {
  const [drawn, copied] = await Promise.all([namesIn(from), namesIn(to)])
  for (const name of drawn) {
    if (!name.endsWith('.png') || copied.includes(name)) continue
    const target = path.join(to, name)
    await mkdir(path.dirname(target), { recursive: true })
    const draft = `${target}.${randomUUID()}.draft`
    await cp(path.join(from, name), draft)
    await rename(draft, target)
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder, { recursive: true }).catch(() => [])
