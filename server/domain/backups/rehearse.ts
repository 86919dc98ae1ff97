import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { isSafeToRead, problemsOfCopy } from './campaign-copy.ts'
import { type CheckedBackup, restore, type Restored } from './restore.ts'

export type RehearsalResult = Restored & {
  /** What is wrong with the campaign file in the backup, a line each; null if it was not read. */
  campaignProblems: string[] | null
}

/**
 * Restores a backup into a temporary database. Reads its campaign file if that is JSON or equals this
 * machine's (`ownCampaign`), because any other module in a backup could be planted.
 */
export async function rehearse(
  backup: CheckedBackup,
  ownCampaign: Buffer | undefined,
  signal?: AbortSignal,
): Promise<RehearsalResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dropwright-rehearsal-'))
  try {
    const server = await startEmbeddedPostgres({ dataDir, ownerWaitMs: 0, log: () => {} })
    const { url, ownerUrl, stop } = server
    // Makes the restore fail, whatever it is waiting for.
    const interrupt = () => void server.stopImmediately()
    signal?.addEventListener('abort', interrupt)
    try {
      signal?.throwIfAborted()
      const target = { url, ownerUrl, dataDir, appSecret: undefined }
      const restored = await restore(target, backup)
      // The first is the campaign file, the others are its pictures.
      const [file] = restored.campaignFiles
      const campaignProblems = file && isSafeToRead(file, ownCampaign) ? await problemsOfCopy(file) : null
      return { ...restored, campaignProblems }
    } finally {
      signal?.removeEventListener('abort', interrupt)
      await stop()
    }
  } finally {
    await removeEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
}
