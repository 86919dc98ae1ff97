import path from 'node:path'
import { withSnapshot } from '#server/platform/database/archive/dump.ts'
import { FORMAT, FORMAT_VERSION, type Section } from '#server/platform/database/archive/format.ts'
import { writeArchive, type WrittenArchive } from '#server/platform/database/archive/write-archive.ts'
import { explainWriting } from '#server/platform/file-problems.ts'
import { readSecret, SECRET_FILE } from '#server/platform/secrets.ts'
import { type CampaignCopy, copyCampaign, nameInArchive } from './campaign-copy.ts'
import { fingerprintOf } from './secret-file.ts'

export type BackUpSource = {
  /** For a role that may read all tables; not through a pooler. */
  url: string
  dataDir: string
  /** APP_SECRET of the environment; if undefined, the secret in DATA_DIR is in use. */
  appSecret: string | undefined
  /** An absolute path; without one, the backup has no campaign file and no pictures. */
  campaignFile?: string
}

export type WrittenBackup = WrittenArchive & {
  file: string
  takenAt: Date
  /** Whether the data depends on an APP_SECRET that is not in the backup. */
  needsSecret: boolean
  campaign: CampaignCopy
}

/**
 * Writes the whole campaign into one file: all tables as they were at one moment, the campaign file with its
 * pictures, and the secret in use if it is stored in DATA_DIR. No request waits for a backup.
 * @throws NotWritable with the reason in one line. No file is left then.
 */
export async function backUp(
  source: BackUpSource,
  file: string,
  signal?: AbortSignal,
): Promise<WrittenBackup> {
  const stored = await readSecret(source.dataDir)
  const secret = source.appSecret ?? stored
  const isSecretIncluded = stored !== undefined && stored === secret
  const target = path.resolve(file)
  const campaign = source.campaignFile ? await copyCampaign(source.campaignFile) : { files: [], missing: [] }
  const files = [
    ...(isSecretIncluded ? [{ name: SECRET_FILE, content: Buffer.from(stored) }] : []),
    ...campaign.files.map((each) => ({ name: nameInArchive(each), content: each.content })),
  ]
  return withSnapshot(source.url, async ({ takenAt, postgres, migrations, sections }) => {
    const head = {
      format: FORMAT,
      version: FORMAT_VERSION,
      createdAt: takenAt.toISOString(),
      postgres,
      migrations,
      ...(secret === undefined ? {} : { secretFingerprint: fingerprintOf(secret) }),
    } as const
    const content = filesThenTables(files, sections)
    const written = await explainWriting(target, () => writeArchive(target, head, content, signal))
    const needsSecret = secret !== undefined && !isSecretIncluded
    return { ...written, file: target, takenAt, needsSecret, campaign }
  })
}

/** Lines of base64. The length is a multiple of four, so that each line can be decoded alone. */
const BASE64_LINES = /.{1,40000}/g

async function* filesThenTables(
  files: readonly { name: string; content: Buffer }[],
  tables: AsyncIterable<Section>,
): AsyncGenerator<Section> {
  for (const { name, content } of files) {
    const lines = content.toString('base64').match(BASE64_LINES) ?? []
    yield { head: { file: name }, content: lines.map((line) => Buffer.from(`${line}\n`)) }
  }
  yield* tables
}
