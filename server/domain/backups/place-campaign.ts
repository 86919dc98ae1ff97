import { randomUUID } from 'node:crypto'
import { constants, copyFile, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '#server/platform/database/data-dir.ts'
import type { CopiedFile } from './campaign-copy.ts'

type PlacementOptions = {
  /** Where the program looks for its campaign file. */
  wantedPath: string
  /** The folder for copies that cannot be written where they belong. */
  elsewhere: string
  /** Replaces files that differ, which are kept under another name. */
  replace: boolean
}

export type PlacedFile = {
  wantedPath: string
  /** Where the copy is: at `wantedPath`, unless another file is there, the format differs or writing fails. */
  copyPath: string
  /** `same`: an equal file was there already; `beside`: the copy is not where the program looks for it. */
  outcome: 'same' | 'placed' | 'beside' | 'replaced'
  /** Where the file that the copy has replaced is kept. */
  keptPath?: string
}

/**
 * Puts a copied campaign file and its pictures where they belong. Replaces an existing file only if `replace`
 * is set, and never loses one.
 * @throws the system's error if a file can be written neither where it belongs nor to the folder `elsewhere`.
 */
export async function placeCampaign(
  files: readonly CopiedFile[],
  options: PlacementOptions,
): Promise<PlacedFile[]> {
  const [campaign, ...pictures] = files
  if (!campaign) return []
  const { wantedPath, elsewhere, replace } = options
  // A copy with another extension has another format. It goes beside the wanted file, under its own name.
  const isSameFormat = path.extname(wantedPath) === path.extname(campaign.name)
  const placed = await place(campaign.content, {
    wantedPath,
    target: isSameFormat ? wantedPath : path.join(path.dirname(wantedPath), campaign.name),
    elsewhere,
    replace: replace && isSameFormat,
  })
  const folder = path.dirname(placed.copyPath)
  const placedPictures: PlacedFile[] = []
  for (const { name, content } of pictures) {
    const target = path.join(folder, name)
    placedPictures.push(await place(content, { wantedPath: target, target, elsewhere, replace }))
  }
  return [placed, ...placedPictures]
}

/** `target` is where to write: for a copy in another format, beside `wantedPath`. */
type Placement = { wantedPath: string; target: string; replace: boolean }

async function place(
  content: Buffer,
  { elsewhere, ...placement }: Placement & { elsewhere: string },
): Promise<PlacedFile> {
  const { wantedPath, target } = placement
  try {
    return await placeAt(content, placement)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const folder = path.resolve(elsewhere)
    const hasTriedElsewhere = path.dirname(target) === folder
    if (code === undefined || hasTriedElsewhere) throw error
    const fallback = path.join(folder, path.basename(target))
    const { copyPath } = await placeAt(content, { wantedPath, target: fallback, replace: false })
    return { wantedPath, copyPath, outcome: 'beside' }
  }
}

async function placeAt(content: Buffer, { wantedPath, target, replace }: Placement): Promise<PlacedFile> {
  await makeFolder(path.dirname(target))
  const written = await writeNew(target, content)
  const isWanted = target === wantedPath
  if (written !== 'taken') return { wantedPath, copyPath: target, outcome: isWanted ? written : 'beside' }
  if (!replace) return { wantedPath, copyPath: await writeBeside(target, content), outcome: 'beside' }
  const keptPath = await copyAside(target)
  await overwrite(target, content)
  return { wantedPath, copyPath: target, outcome: 'replaced', keptPath }
}

async function writeNew(file: string, content: Buffer): Promise<'placed' | 'same' | 'taken'> {
  try {
    await create(file, content)
    return 'placed'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Even if the folder cannot be written to, it may hold the same file.
    const existing = await readFile(file).catch(() => undefined)
    if (existing?.equals(content)) return 'same'
    if (code === 'EEXIST') return 'taken'
    throw error
  }
}

/** Creates a whole file or none: the next restore would mistake half a file for the operator's own. */
async function create(file: string, content: Buffer): Promise<void> {
  const created = await open(file, 'wx')
  try {
    await created.writeFile(content)
    await created.sync()
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await created.close()
  }
}

async function writeBeside(file: string, content: Buffer): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = nameBeside(file, 'restored', number)
    if ((await writeNew(name, content)) !== 'taken') return name
  }
}

async function copyAside(file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = nameBeside(file, 'before-restore', number)
    try {
      await copyFile(file, name, constants.COPYFILE_EXCL)
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** `campaign.config.ts` becomes `campaign.config.restored.ts`, or `….restored-2.ts`. */
function nameBeside(file: string, word: string, number: number): string {
  const { dir, name, ext } = path.parse(file)
  return path.join(dir, `${name}.${word}${number === 1 ? '' : `-${number}`}${ext}`)
}

/** Overwrites a file atomically. */
async function overwrite(file: string, content: Buffer): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, content, { flag: 'wx', flush: true })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
