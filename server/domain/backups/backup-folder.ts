import { assertWritable, makeFolder } from '#server/platform/database/data-dir.ts'
import { BackupFailed, explainFileError } from './file-error.ts'

/** Creates BACKUP_DIR. @throws Misconfigured with one line when nothing can be written there. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await explainFileError(folder, async () => {
      await makeFolder(folder, 0o700)
      await assertWritable(folder)
    })
  } catch (error) {
    throw new BackupFailed(`BACKUP_DIR: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
