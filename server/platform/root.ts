import { existsSync } from 'node:fs'
import path from 'node:path'

/** The nearest folder above this file with a package.json. This file may be part of `dist/server`. */
const ROOT = findRoot(import.meta.dirname)

export const fromRoot = (file: string): string => path.join(ROOT, file)

function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findRoot(path.dirname(folder))
}
