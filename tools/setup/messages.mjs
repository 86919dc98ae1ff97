import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { runQuietly } from './children.mjs'
import { fingerprint, readText } from './fingerprint.mjs'
import { withLock } from './lock.mjs'

/** What the compiled messages are made of. */
const SOURCES = ['messages', 'tools/messages', 'contract', 'package-lock.json']

/** Compiles the messages of all languages unless that was done with the current sources. */
export async function compileMessages(root, node, options) {
  const marker = path.join(root, 'generated/messages/.sources')
  if (readText(marker) === fingerprint(root, SOURCES)) return
  await withLock(root, async () => {
    const sources = fingerprint(root, SOURCES)
    if (readText(marker) === sources) return
    const { code, output } = await runQuietly(node, ['tools/messages/main.ts'], options)
    if (code !== 0) throw new Error(`The messages could not be compiled.\n${output.trim()}`)
    writeFileSync(marker, sources)
  })
}
