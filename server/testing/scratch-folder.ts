import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** An empty folder, removed after the test. */
export async function scratchFolder(t: { after(end: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dropwright-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}
