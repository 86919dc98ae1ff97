import { Misconfigured } from './misconfigured.ts'

/** A file or folder cannot be written to; the one-line message says why, and what the operator can do. */
export class NotWritable extends Misconfigured {}

const WRITING: Record<string, string> = {
  ENOSPC: 'the disk is full. Make room, or choose another disk',
  EDQUOT: 'the quota of this account is used up. Make room, or choose another disk',
  EROFS: 'the file system is read-only. Choose another folder',
  EACCES: 'this account may not write there. Choose another folder',
  EPERM: 'this account may not write there. Choose another folder',
  ENOENT: 'its folder does not exist. Create it, or choose another one',
  ENOTDIR: 'a part of its path is a file, not a folder. Choose another one',
  EEXIST: 'it exists, and is never replaced. Choose another name',
  EISDIR: 'it is a folder. Name a file in it',
  EFBIG: 'the file system does not take files of that size. Choose another disk',
  EIO: 'the disk reports an error. Choose another one',
}

/** Runs a step that writes a file. @throws NotWritable, with a remedy, when the file system refuses. */
export async function explainWriting<T>(file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const reason = WRITING[codeOf(error)]
    if (reason === undefined) throw error
    throw new NotWritable(`${file} cannot be written: ${reason}.`, { cause: error })
  }
}

const READING: Record<string, (file: string) => string> = {
  ENOENT: (file) => `${file} does not exist.`,
  EACCES: (file) => `This account is not allowed to read ${file}.`,
  EISDIR: (file) => `${file} is a folder.`,
}

/** Runs a step that reads a file. @throws with one line when the file system refuses. */
export async function explainReading<T>(file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const problem = READING[codeOf(error)]?.(file)
    throw problem === undefined ? error : new Error(problem, { cause: error })
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''
