import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { measureFreeBytes } from '#server/domain/alerts/conditions.ts'
import { assertWritable } from '#server/platform/database/data-dir.ts'
import { couldNotTell, judged } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { disk: words } = WORDS
/** Less is a problem: PostgreSQL stops when its disk is full. */
const MIN_FREE_BYTES = 0.5e9
/** Below this, administrators get an alert. */
const LOW_FREE_BYTES = 2e9

export const disk: Check = {
  name: 'disk',
  reads: ['DATA_DIR', 'BACKUP_DIR'],
  async examine(subject) {
    const { dataDir, backupDir } = subject.environment.config
    const reports = [
      await examineFolder(subject, 'DATA_DIR', resolve(dataDir)),
      ...(backupDir === undefined ? [] : [await examineFolder(subject, 'BACKUP_DIR', resolve(backupDir))]),
    ]
    const remarks = reports.flatMap((report) => report.remarks)
    const measured = reports.flatMap(({ free }) => (free ? [free] : []))
    const problems = reports.flatMap((report) => report.problems)
    if (problems.length === 0 && measured.length === 0) return couldNotTell(remarks.join(' '))
    return judged(problems, words.fine(measured), remarks)
  },
}

/** @property free the folder's variable and the free bytes on its disk; absent if not measured */
type DiskReport = { problems: string[]; remarks: string[]; free?: readonly [name: string, bytes: number] }

async function examineFolder({ freeBytes }: Subject, name: string, folder: string): Promise<DiskReport> {
  if (!(await exists(folder))) return { problems: [], remarks: [words.notCreated(name, folder)] }
  try {
    await assertWritable(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const problem = code === 'ENOTDIR' ? words.notFolder(name, folder) : words.notWritable(name, folder, code)
    return { problems: [problem], remarks: [] }
  }
  const bytes = await measureFreeBytes(folder, freeBytes)
  return {
    problems: bytes < MIN_FREE_BYTES ? [words.full(name, folder, bytes)] : [],
    remarks: bytes >= MIN_FREE_BYTES && bytes < LOW_FREE_BYTES ? [words.low(name, bytes)] : [],
    free: [name, bytes],
  }
}

/** A path below a file (ENOTDIR) counts as existing: it is wrong, not just missing. */
const exists = (folder: string): Promise<boolean> =>
  stat(folder).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'ENOENT',
  )
