import { assertWritable, makeFolder } from '#server/platform/database/data-dir.ts'
import { explainWriting, NotWritable } from '#server/platform/file-problems.ts'

/** Creates BACKUP_DIR. @throws NotWritable when nothing can be written there. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await explainWriting(folder, async () => {
      await makeFolder(folder, 0o700)
      await assertWritable(folder)
    })
  } catch (error) {
    throw new NotWritable(`BACKUP_DIR: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
