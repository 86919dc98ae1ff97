import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** An empty folder, removed after the test. */
export async function scratchFolder(t: { after(end: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dropwright-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
