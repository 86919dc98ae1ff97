import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Sink } from './write-files.ts'

/**
 * Writes files below a folder. `safe`: each is on the disk before the next one begins, so that a machine that loses power
 * loses no part of what was written before the folder got its name.
 */
export function folderSink(folder: string, mode: 'safe' | 'buffered'): Sink {
  let file = -1
  return {
    begin(name) {
      const whole = path.join(folder, name)
      mkdirSync(path.dirname(whole), { recursive: true })
      file = openSync(whole, 'wx', 0o644)
    },
    write(bytes) {
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    },
    end() {
      if (mode === 'safe') fdatasyncSync(file)
      closeSync(file)
    },
    close() {},
  }
}
