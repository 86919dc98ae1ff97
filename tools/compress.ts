import { readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
/** Fonts are already compressed. */
const COMPRESSIBLE = /\.(js|css|svg|json)$/
/** Bytes beyond which the best quality takes seconds and saves a tenth: only the reader of the API is as large. */
const LARGE = 500_000

/** Writes a .br and a .gz next to every text file of a folder that has none yet. */
export async function compressFiles(folder: string) {
  const names = new Set(await readdir(folder))
  const files = [...names].filter((name) => COMPRESSIBLE.test(name) && !names.has(`${name}.br`))
  await Promise.all(files.map((name) => compressFile(path.join(folder, name))))
}

async function compressFile(file: string) {
  const content = await readFile(file)
  const quality = content.length > LARGE ? 9 : 11
  await Promise.all([
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).then((bytes) =>
      writeFile(`${file}.br`, bytes),
    ),
    gzipped(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ])
}
