import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { type CheckedBackup, restore, type Restored } from './restore.ts'

/** Restores a backup into a temporary database, which is removed afterwards. Changes nothing else. */
export async function rehearse(backup: CheckedBackup): Promise<Restored> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dropwright-rehearsal-'))
  try {
    const { url, ownerUrl, stop } = await startEmbeddedPostgres({ dataDir, ownerWait: 0, log: () => {} })
    try {
      const target = { url, ownerUrl, dataDir, appSecret: undefined }
      return await restore(target, backup, { force: false, sendMail: false })
    } finally {
      await stop()
    }
  } finally {
    await removeEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
}
