import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { problemsOfCopy } from './campaign-copy.ts'
import { type CheckedBackup, restore, type Restored } from './restore.ts'

export type Rehearsed = Restored & {
  /** What is wrong with the campaign file in the backup, a line each. */
  campaignProblems: string[]
}

/**
 * Restores a backup into a temporary database, which is removed afterwards, and reads its campaign file. Changes
 * nothing else.
 */
export async function rehearse(backup: CheckedBackup): Promise<Rehearsed> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dropwright-rehearsal-'))
  try {
    const { url, ownerUrl, stop } = await startEmbeddedPostgres({ dataDir, ownerWait: 0, log: () => {} })
    try {
      const target = { url, ownerUrl, dataDir, appSecret: undefined }
      const restored = await restore(target, backup, { force: false, sendMail: false })
      const { campaignFiles } = restored
      const campaignProblems = campaignFiles.length > 0 ? await problemsOfCopy(campaignFiles) : []
      return { ...restored, campaignProblems }
    } finally {
      await stop()
    }
  } finally {
    await removeEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
}
