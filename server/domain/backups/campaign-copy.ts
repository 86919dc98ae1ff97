import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PICTURE_LIMITS, PICTURE_PARTS } from '#contract/dashboard/pictures.ts'
import { makeFolder } from '#server/platform/database/data-dir.ts'
import { inspectCampaign, loadCampaign } from '../campaign/load-campaign.ts'
import { readCampaignFile } from '../campaign/read-campaign-file.ts'
import { exportCampaign } from '../settings/export-campaign.ts'

/** Begins the names of the campaign file and its pictures in an archive. */
const ARCHIVE_PREFIX = 'campaign/'

/** @property name the file's path from the campaign file's folder, with forward slashes. */
export type CopiedFile = { name: string; content: Buffer }

export type CampaignCopy = {
  /** First the campaign file, then its pictures; empty if the campaign file could not be read. */
  files: CopiedFile[]
  /** A line for each missing file. */
  missing: string[]
}

/** Never fails: a backup without the campaign file is better than none. @param file an absolute path. */
export async function copyCampaign(file: string): Promise<CampaignCopy> {
  let content: Buffer
  try {
    content = await readFile(file)
  } catch (error) {
    return { files: [], missing: [`The campaign file ${file} ${reasonOf(error)}.`] }
  }
  const name = path.basename(file)
  const { campaign, isSelfContained } = await evaluate({ name, content }, file)
  if (!campaign) {
    const missing = `The campaign file ${file} has mistakes, so pictures that it names are not included.`
    return { files: [{ name, content }], missing: [missing] }
  }
  // A campaign file that imports others is replaced by its export, which needs no other file.
  const included = isSelfContained
    ? content
    : Buffer.from(exportCampaign(campaign, path.extname(name).toLowerCase() === '.json' ? 'json' : 'ts'))
  const pictures = await copyPictures(campaign, path.dirname(file))
  return { files: [{ name, content: included }, ...pictures.files], missing: pictures.missing }
}

type Evaluated = {
  campaign: CampaignFile | undefined
  /** Whether the campaign file needs no other file of its folder. */
  isSelfContained: boolean
}

/** The last evaluation without mistakes. @property modules the contents of the imported files, by path. */
let lastEvaluation: ({ content: Buffer; file: string; modules: Map<string, Buffer> } & Evaluated) | undefined

/**
 * Reads the campaign file, or returns the last result if no file has changed. Node never unloads a module, so
 * reading it again for each scheduled backup would take ever more memory.
 */
async function evaluate(copied: CopiedFile, file: string): Promise<Evaluated> {
  const { content } = copied
  const last = lastEvaluation
  if (last?.file === file && last.content.equals(content) && areUnchanged(last.modules)) return last
  // Alone in a folder, the file is valid only if it needs no other. Undefined also if no copy can be made.
  const standalone = await withTemporaryCopy(copied, (copy) => readIfValid(copy)).catch(() => undefined)
  const modules = new Map<string, Buffer>()
  const campaign = standalone ?? (await readIfValid(file, (name) => modules.set(name, readFileSync(name))))
  const evaluated = { campaign, isSelfContained: standalone !== undefined }
  // A failure is not remembered: an import may be missing, and nothing would tell when it appears.
  lastEvaluation = campaign && { content, file, modules, ...evaluated }
  return evaluated
}

const areUnchanged = (modules: Map<string, Buffer>) =>
  modules.entries().every(([name, content]) => readIfPossible(name)?.equals(content))

function readIfPossible(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

const reasonOf = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? 'does not exist'
    : `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`

async function withTemporaryCopy<T>(
  { name, content }: CopiedFile,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dropwright-campaign-'))
  try {
    const file = path.join(folder, name)
    await makeFolder(path.dirname(file))
    await writeFile(file, content)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readIfValid(
  file: string,
  onModule?: (file: string) => void,
): Promise<CampaignFile | undefined> {
  try {
    const result = inspectCampaign(await readCampaignFile(file, onModule))
    return 'campaign' in result ? result.campaign : undefined
  } catch {
    return undefined
  }
}

async function copyPictures({ look }: CampaignFile, folder: string): Promise<CampaignCopy> {
  const files: CopiedFile[] = []
  const missing: string[] = []
  for (const part of PICTURE_PARTS) {
    const picture = look?.[part]
    // Uploaded pictures are in the database.
    if (!picture || picture.startsWith('/brand/')) continue
    const name = path.relative(folder, path.resolve(folder, picture)).split(path.sep).join('/')
    try {
      if (!isInside(name)) throw new Error('is outside the campaign file’s folder')
      const { size } = await stat(path.join(folder, name))
      if (size > PICTURE_LIMITS.maxBytes) throw new Error('is larger than a picture may be')
      files.push({ name, content: await readFile(path.join(folder, name)) })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      missing.push(`The ${part} ${picture} ${code === undefined ? message : reasonOf(error)}.`)
    }
  }
  return { files, missing }
}

/** Whether a relative path leads to a file inside its folder, on every system. */
const isInside = (name: string) => !/^\/|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i.test(name) && name !== ''

export const nameInArchive = ({ name }: CopiedFile): string => ARCHIVE_PREFIX + name

/** The reverse of {@link nameInArchive}; undefined for any other file, and for a path out of the folder. */
export function copiedName(name: string): string | undefined {
  const copied = name.startsWith(ARCHIVE_PREFIX) ? name.slice(ARCHIVE_PREFIX.length) : ''
  return isInside(copied) ? copied : undefined
}

/** JSON is safe. A module could be planted in a backup, so it must equal this machine's campaign file. */
export const isSafeToRead = ({ name, content }: CopiedFile, ownCampaign: Buffer | undefined): boolean =>
  path.extname(name).toLowerCase() === '.json' || ownCampaign?.equals(content) === true

/**
 * What would keep the program from starting with a copied campaign file, a line each. A module is run in a
 * folder of its own, where it cannot import other files of the backup.
 */
export function problemsOfCopy(copied: CopiedFile): Promise<string[]> {
  return withTemporaryCopy(copied, async (file) => {
    const loaded = await loadCampaign(file)
    const folder = `${path.dirname(file)}/`
    return 'problems' in loaded ? loaded.problems.map((problem) => problem.replaceAll(folder, '')) : []
  })
}
