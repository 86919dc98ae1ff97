import path from 'node:path'
import { withSnapshot } from '#server/platform/database/archive/dump.ts'
import { FORMAT, FORMAT_VERSION, type Section } from '#server/platform/database/archive/format.ts'
import { writeArchive, type WrittenArchive } from '#server/platform/database/archive/write-archive.ts'
import { explainFileTrouble } from './file-trouble.ts'
import { fingerprintOf, readSecretFile, SECRET_FILE } from './secret-file.ts'

export type BackUpSource = {
  /** A role that may read all tables, past a pooler if there is one. */
  url: string
  dataDir: string
  /** APP_SECRET of the environment; undefined where the file in DATA_DIR counts. */
  appSecret: string | undefined
}

export type BackUp = WrittenArchive & {
  file: string
  takenAt: Date
  /** Whether the data depends on an APP_SECRET that is not in the file. */ needsSecret: boolean
}

/**
 * Writes the whole campaign into one file: all tables as they were at one moment, and the secret that DATA_DIR holds.
 * No request waits for it.
 * @throws one line that says why the file could not be written; there is no file then.
 */
export async function backUp(source: BackUpSource, file: string, signal?: AbortSignal): Promise<BackUp> {
  const stored = await readSecretFile(source.dataDir)
  const secret = source.appSecret ?? stored
  const isSecretIncluded = stored !== undefined && stored === secret
  const target = path.resolve(file)
  return withSnapshot(source.url, async ({ takenAt, postgres, migrations, sections }) => {
    const head = {
      format: FORMAT,
      version: FORMAT_VERSION,
      createdAt: takenAt.toISOString(),
      postgres,
      migrations,
      ...(secret === undefined ? {} : { secretFingerprint: fingerprintOf(secret) }),
    } as const
    const parts = withFile(isSecretIncluded ? stored : undefined, sections)
    const written = await explainFileTrouble(target, () => writeArchive(target, head, parts, signal))
    return { ...written, file: target, takenAt, needsSecret: secret !== undefined && !isSecretIncluded }
  })
}

async function* withFile(
  secret: string | undefined,
  sections: AsyncIterable<Section>,
): AsyncGenerator<Section> {
  if (secret !== undefined) {
    const line = Buffer.from(`${Buffer.from(secret).toString('base64')}\n`)
    yield { head: { file: SECRET_FILE }, content: [line] }
  }
  yield* sections
}
