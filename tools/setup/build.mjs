import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { run, runQuietly } from './children.mjs'
import { fingerprint, readText } from './fingerprint.mjs'
import { withLock } from './lock.mjs'
import { step } from './progress.mjs'

/** The sources of the built site. The campaign is not one of them: the server reads it at start. */
const SOURCES = [
  'web',
  'contract',
  'messages',
  'tools/messages',
  'docs',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'deploy/README.md',
  'deploy/cluster/README.md',
  'tools/docs',
  'vite.config.ts',
  'tools/build.ts',
  'tools/chunks.ts',
  'tools/compress.ts',
  'tools/subset-fonts.ts',
  'package-lock.json',
]

/** Builds the site unless a build of the current sources exists. */
export async function buildSite(root, node, options, force) {
  if (!force && isBuilt(root)) return
  await withLock(root, async () => {
    if (force || !isBuilt(root)) await build(root, node, options)
  })
}

const markerOf = (root) => path.join(root, 'dist', '.sources')
const isBuilt = (root) => readText(markerOf(root)) === fingerprint(root, SOURCES)

async function build(root, node, options) {
  const sources = fingerprint(root, SOURCES)
  const { code, output } = await step('Building the site', () => runBuild(node, options))
  if (code !== 0) throw new Error(['The site could not be built.', output.trim()].join('\n').trim())
  writeFileSync(markerOf(root), sources)
}

/** At a terminal the line of progress must stay alone; a pipe gets the build's output as it comes. */
async function runBuild(node, options) {
  if (process.stdout.isTTY) return runQuietly(node, ['tools/build.ts'], options)
  return { code: await run(node, ['tools/build.ts'], options), output: '' }
}
