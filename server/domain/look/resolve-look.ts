import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PICTURE_LIMITS, PICTURE_PARTS, type PicturePart } from '#contract/dashboard/pictures.ts'
import { errorMessages } from '#server/messages/errors.ts'
import type { Database } from '#server/platform/database/database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { lockStoredPicture, storePicture } from './pictures.ts'

/**
 * Stores the pictures that a campaign file names by path, unless they are stored already.
 * @param file the path of the campaign file. The paths of pictures are relative to its folder.
 * @returns the campaign with references to stored pictures instead of paths.
 * @throws Misconfigured with one line for each picture that cannot be used.
 */
export async function resolveLook(
  db: Database,
  campaign: CampaignFile,
  file = 'campaign.config.ts',
): Promise<CampaignFile> {
  const { look } = campaign
  if (!look?.logo && !look?.mascot) return campaign
  const problems: string[] = []
  const resolved: Partial<Record<PicturePart, string>> = {}
  for (const part of PICTURE_PARTS) {
    const picture = look[part]
    if (!picture) continue
    try {
      resolved[part] = await storeFile(db, picture, part, dirname(resolve(file)))
    } catch (error) {
      problems.push(`${file}: look.${part} ${reasonOf(error, picture)}`)
    }
  }
  if (problems.length > 0) throw new Misconfigured(problems.join('\n'))
  return { ...campaign, look: { ...look, ...resolved } }
}

/** @param picture a path, or a reference to a stored picture. @returns a reference. */
async function storeFile(db: Database, picture: string, part: PicturePart, folder: string): Promise<string> {
  if (picture.startsWith('/brand/')) {
    if (await lockStoredPicture(db, picture)) return picture
    throw new Misconfigured('names a picture that is not in this database: name a file instead')
  }
  const path = resolve(folder, picture)
  const refuseUnreadable = ({ code }: NodeJS.ErrnoException) => {
    const isMissing = code === 'ENOENT'
    const why = isMissing
      ? 'does not exist: its path is relative to the campaign file’s folder'
      : `cannot be read (${code})`
    throw new Misconfigured(`names ${picture}, which ${why}`)
  }
  const { size } = await stat(path).catch(refuseUnreadable)
  if (size > PICTURE_LIMITS.maxBytes) throw new Refusal('picture_too_large')
  const content = await readFile(path).catch(refuseUnreadable)
  return (await storePicture(db, content, part, { actor: null })).reference
}

/** The end of a sentence. @throws an error that is not about the picture, for example of the database. */
function reasonOf(error: unknown, picture: string): string {
  if (error instanceof Refusal) return `names ${picture}: ${errorMessages.messages[error.code]}`
  if (error instanceof Misconfigured) return error.message
  throw error
}
