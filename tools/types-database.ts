import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../server/platform/database/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrate.ts'

/**
 * Generates the types of all tables from a freshly migrated database: run `npm run types:database` after
 * adding a migration. With `--check` it fails if the file is out of date.
 */

const ROOT = path.resolve(import.meta.dirname, '..')
const TYPES = path.join(ROOT, 'server/platform/database/database.types.ts')
const isCheck = process.argv.includes('--check')

const before = await readFile(TYPES, 'utf8').catch(() => '')
const file = isCheck ? path.join(await mkdtemp(path.join(tmpdir(), 'dropwright-types-')), 'types.ts') : TYPES
await withMigratedDatabase((url) => generate(url, file))
const isSame = (await readFile(file, 'utf8')) === before
if (isCheck) await rm(path.dirname(file), { recursive: true })
if (isCheck && !isSame) {
  console.error(
    'server/platform/database/database.types.ts does not fit the migrations: run npm run types:database',
  )
  process.exitCode = 1
}
if (!isCheck) console.log(isSame ? 'The types were up to date.' : `Wrote ${path.relative(ROOT, TYPES)}`)

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

async function generate(url: string, outFile: string): Promise<void> {
  const mapping = JSON.stringify({ int8: 'number' })
  const output = { 'out-file': outFile, 'type-mapping': mapping, 'exclude-pattern': 'migrations' }
  const options = Object.entries({ dialect: 'postgres', url, ...output })
  const args = options.flatMap(([name, value]) => [`--${name}`, value])
  await promisify(execFile)('kysely-codegen', args, { cwd: ROOT })
}
