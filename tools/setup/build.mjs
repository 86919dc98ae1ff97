import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from './children.mjs'
import { fingerprint, readNote } from './fingerprint.mjs'
import { alone } from './lock.mjs'

/** What the built site is made from. The campaign is not: it is known only when the server starts. */
const SOURCES = [
  'web',
  'contract',
  'vite.config.ts',
  'tools/build.ts',
  'tools/chunks.ts',
  'tools/compress.ts',
  'tools/subset-fonts.ts',
  'package-lock.json',
]

/** Builds the site unless the build of these very sources is there. */
export async function buildSite(root, node, options, force) {
  if (!force && isBuilt(root)) return
  await alone(root, async () => {
    if (force || !isBuilt(root)) await build(root, node, options)
  })
}

const noteOf = (root) => path.join(root, 'dist', '.sources')
const isBuilt = (root) => readNote(noteOf(root)) === fingerprint(root, SOURCES)

async function build(root, node, options) {
  const sources = fingerprint(root, SOURCES)
  console.log('Building the site')
  const code = await run(node, ['tools/build.ts'], options)
  if (code !== 0) throw new Error('The site could not be built.')
  writeFileSync(noteOf(root), sources)
}
