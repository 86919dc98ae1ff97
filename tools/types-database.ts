import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../server/platform/database/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrate.ts'

/** `npm run types:database` generates the types of all tables. `--check` fails if they are out of date. */

const ROOT = path.resolve(import.meta.dirname, '..')
const TYPES = 'server/platform/database/database.types.ts'

if (process.argv.includes('--check'))
  await withMigratedDatabase((url) => generate(url, '--verify')).catch((error: unknown) => {
    console.error(error)
    console.error(`If ${TYPES} does not fit the migrations, run npm run types:database`)
    process.exitCode = 1
  })
else {
  await withMigratedDatabase(generate)
  console.log(`Wrote ${TYPES}`)
}

async function withMigratedDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dropwright-types-'))
  const { ownerUrl: url, stop } = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    await migrate(pool).finally(() => pool.end())
    await use(url)
  } finally {
    await stop()
    await removeEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true })
  }
}

/** @throws with `--verify`, which writes nothing, if the file is out of date. */
async function generate(url: string, ...flags: '--verify'[]): Promise<void> {
  const mapping = JSON.stringify({ int8: 'number' })
  const output = { 'out-file': TYPES, 'type-mapping': mapping, 'exclude-pattern': 'migrations' }
  const options = Object.entries({ dialect: 'postgres', url, ...output })
  const args = options.flatMap(([name, value]) => [`--${name}`, value])
  await promisify(execFile)('kysely-codegen', [...args, ...flags], { cwd: ROOT })
}
