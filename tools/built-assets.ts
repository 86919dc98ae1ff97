import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
/** Fonts are already compressed. */
const COMPRESSIBLE = /\.(js|css|svg|json)$/
/** For larger files, the best quality takes seconds and saves a tenth. Only the API page has such files. */
const LARGE_BYTES = 500_000

/** Compresses each text file of a folder into a .br and a .gz beside it. Skips files that have a .br. */
export async function compressFiles(folder: string) {
  const names = new Set(await readdir(folder))
  const files = [...names].filter((name) => COMPRESSIBLE.test(name) && !names.has(`${name}.br`))
  await Promise.all(files.map((name) => compressFile(path.join(folder, name))))
}

async function compressFile(file: string) {
  const content = await readFile(file)
  const quality = content.length > LARGE_BYTES ? 9 : 11
  await Promise.all([
    toBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).then((bytes) =>
      writeFile(`${file}.br`, bytes),
    ),
    toGzip(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ])
}

/** The file that lists the assets that a build made itself. Beside them are copies from the build before. */
const ASSET_LIST = '.assets'

/**
 * Adds the assets that the last build made to those of the next, because a running server and open pages
 * ask for them. Leaves out the assets that the last build had copied from the build before.
 * @param next the folder of the new build
 * @param last the folder of the last build, which need not exist
 */
export async function keepAssets(next: string, last: string): Promise<void> {
  const assets = (build: string, name = '') => path.join(build, 'client/assets', name)
  const names = await readdir(assets(next))
  await writeFile(path.join(next, ASSET_LIST), names.join('\n'))
  const lastList = await readFile(path.join(last, ASSET_LIST), 'utf8').catch(() => '')
  const missing = new Set(lastList.split('\n').filter(Boolean)).difference(new Set(names))
  await Promise.all([...missing].map((name) => cp(assets(last, name), assets(next, name))))
}
