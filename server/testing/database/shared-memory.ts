import { readFile, statfs } from 'node:fs/promises'

const SHARED_MEMORY = '/dev/shm'
/** See statfs(2). */
const TMPFS_MAGIC = 0x01021994
/** Ten times what two concurrent tests need. */
const MIN_FREE_BYTES = 2 * 1024 ** 3

/**
 * The folder of shared memory, in which tests keep databases; undefined if the system has none with enough
 * room. Tests that create clusters take a third of the processor time there, because on disk, ext4 takes long
 * to find an inode after thousands have been deleted.
 */
export async function findSharedMemory(): Promise<string | undefined> {
  const { type, bavail, bsize } = await statfs(SHARED_MEMORY).catch(() => ({ type: 0, bavail: 0, bsize: 0 }))
  return type === TMPFS_MAGIC && bavail * bsize >= MIN_FREE_BYTES ? SHARED_MEMORY : undefined
}

/** {@link findSharedMemory} if programs can run from there. Containers often mount it with `noexec`. */
export async function findSharedMemoryForPrograms(): Promise<string | undefined> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  // Each line begins with the device, folder, type and options of a file system.
  const entries = mounts.split('\n').map((line) => line.split(' '))
  const options = entries.findLast(([, folder]) => folder === SHARED_MEMORY)?.[3] ?? 'noexec'
  return options.split(',').includes('noexec') ? undefined : findSharedMemory()
}
