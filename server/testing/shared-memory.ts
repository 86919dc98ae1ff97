import { statfs } from 'node:fs/promises'

const SHARED_MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Ten times what two concurrent tests need. */
const MIN_FREE_BYTES = 2 * 1024 ** 3

/**
 * The folder of shared memory, in which tests keep databases; undefined if the system has none with enough room. On
 * disk, ext4 searches long for an inode while thousands were deleted in the last seconds: it took a third of the
 * processor time of tests that create clusters.
 */
export async function findSharedMemory(): Promise<string | undefined> {
  const { type, bavail, bsize } = await statfs(SHARED_MEMORY).catch(() => ({ type: 0, bavail: 0, bsize: 0 }))
  return type === TMPFS && bavail * bsize >= MIN_FREE_BYTES ? SHARED_MEMORY : undefined
}
