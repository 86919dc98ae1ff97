import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Where a build keeps the names of its own assets, beside which lie those of the build before. */
const OWN = '.assets'

/**
 * Copies the assets of the build before into a new one: a server that is still running, and pages that are open in
 * browsers, ask for them. Those of older builds are left out.
 * @param next the folder of a new build
 * @param last that of the build before, if there is one
 */
export async function keepAssets(next: string, last: string): Promise<void> {
  const assets = (build: string, name = '') => path.join(build, 'client/assets', name)
  const own = await readdir(assets(next))
  await writeFile(path.join(next, OWN), own.join('\n'))
  const ofLast = await readFile(path.join(last, OWN), 'utf8').catch(() => '')
  const missing = new Set(ofLast.split('\n').filter(Boolean)).difference(new Set(own))
  await Promise.all([...missing].map((name) => cp(assets(last, name), assets(next, name))))
}
