import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Where Debian puts each version's programs. */
const DEBIAN = '/usr/lib/postgresql/*/bin/pgbench'

/** The command of an installed pgbench, if there is one. */
export async function findPgbench(): Promise<string | undefined> {
  const candidates = ['pgbench', ...globSync(DEBIAN).toSorted().toReversed()]
  for (const candidate of candidates) {
    const works = await run(candidate, ['--version']).then(
      () => true,
      () => false,
    )
    if (works) return candidate
  }
  return undefined
}

type Script = {
  url: string
  /** Each connection carries it out once. */
  script: string
  connections: number
}

/**
 * Runs a script with unnamed statements, as the product sends most of its own.
 * @throws with its output when a statement fails.
 */
export async function runPgbench(pgbench: string, { url, script, connections }: Script): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dropwright-pgbench-'))
  try {
    const file = path.join(folder, 'script.sql')
    await writeFile(file, script)
    const clients = ['--client', String(connections), '--jobs', '1', '--transactions', '1']
    await run(pgbench, ['--no-vacuum', '--protocol', 'extended', ...clients, '--file', file, url])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
