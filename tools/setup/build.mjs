import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run, runQuietly } from './children.mjs'
import { fingerprint, readText } from './fingerprint.mjs'
import { withLock } from './lock.mjs'
import { step } from './progress.mjs'

/** The campaign file is not a source of the site: the server reads it at start. */
const SITE_SOURCES = [
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
  'vite.classic.config.ts',
  'tools/browser-contract.ts',
  'tools/build-site.ts',
  'tools/built-assets.ts',
  'tools/chunks.ts',
  'tools/fonts',
  'package-lock.json',
]

/** The bundles do not contain the messages. `package.json` names the commands to bundle. */
const SERVER_SOURCES = [
  'server',
  'contract',
  'web',
  'tools/build-server.ts',
  'package.json',
  'package-lock.json',
]

const MESSAGE_SOURCES = ['messages', 'tools/messages', 'contract', 'package-lock.json']

const SITE = {
  title: 'Building the site',
  program: 'tools/build-site.ts',
  folder: 'dist/site',
  sources: SITE_SOURCES,
  failed: 'The site could not be built.',
}
const SERVER = {
  title: 'Bundling the server',
  program: 'tools/build-server.ts',
  folder: 'dist/server',
  sources: SERVER_SOURCES,
  failed: 'The server could not be bundled.',
}
const MESSAGES = {
  program: 'tools/messages/main.ts',
  folder: 'generated/messages',
  sources: MESSAGE_SOURCES,
  failed: 'The messages could not be compiled.',
}
export const BUILDS = [SITE, SERVER, MESSAGES]

/** Prints no progress, because it takes only a moment. */
export function compileMessages(root, node, options) {
  return update(root, MESSAGES, () => runQuietly(node, [MESSAGES.program], options))
}

export async function buildAll(root, node, options, force) {
  for (const build of [SITE, SERVER])
    await update(root, build, () => step(build.title, () => runBuild(node, build.program, options)), force)
}

/** Runs a build, unless the last one was made from the current sources. */
async function update(root, build, work, force = false) {
  if (!force && isBuilt(root, build)) return
  await withLock(root, async () => {
    if (!force && isBuilt(root, build)) return
    const sources = fingerprint(root, build.sources)
    // If this build is interrupted, the marker of the last one must not declare it complete.
    rmSync(markerOf(root, build), { force: true })
    // An older version of this program kept one marker for both folders. It must not find it, either.
    rmSync(path.join(root, 'dist/.sources'), { force: true })
    const { code, output } = await work()
    if (code !== 0) throw new Error([build.failed, output.trim()].join('\n').trim())
    writeFileSync(markerOf(root, build), sources)
  })
}

const markerOf = (root, { folder }) => path.join(root, folder, '.sources')
const isBuilt = (root, build) => readText(markerOf(root, build)) === fingerprint(root, build.sources)

/** A terminal shows only the progress line. A pipe gets the build's output as it comes. */
async function runBuild(node, program, options) {
  if (process.stdout.isTTY) return runQuietly(node, [program], options)
  return { code: await run(node, [program], options), output: '' }
}

/**
 * The bundle of a command, or its source if the bundle is outdated. The bundle starts in half the processor
 * time. Commands do not build it, because their user may not be allowed to write to the checkout.
 */
export function bundleOf(root, source) {
  return isBuilt(root, SERVER) ? path.join(SERVER.folder, `${path.basename(source, '.ts')}.js`) : source
}
