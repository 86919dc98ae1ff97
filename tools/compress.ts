import { readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
/** Fonts are already compressed. */
const COMPRESSIBLE = /\.(js|css|svg|json)$/

/** Writes a .br and a .gz next to every text file of a folder. */
export async function compressFiles(folder: string) {
  const files = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(files.map((name) => compressFile(path.join(folder, name))))
}

async function compressFile(file: string) {
  const content = await readFile(file)
  await Promise.all([
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).then((bytes) =>
      writeFile(`${file}.br`, bytes),
    ),
    gzipped(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ])
}
