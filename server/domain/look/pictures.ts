import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type PicturePart, pictureUrls, parsePictureReference } from '#contract/dashboard/pictures.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { PublicReads } from '#server/platform/database/public-reads.ts'
import { type Attribution, record } from '../journal/record.ts'
import { decodePicture, type EncodedPicture } from './decode-picture.ts'

/** Pictures are decoded one at a time, because each may take 100 MB for a moment. */
let lastDecoding: Promise<unknown> = Promise.resolve()

/**
 * Decodes, encodes and stores a picture, unless the same file has been stored for the same part. In that case
 * the stored picture counts as uploaded now, so that it is not purged before a setting names it.
 * @returns the picture's reference in a look, and its size in pixels.
 * @throws refusal that says what is wrong with the file.
 */
export async function storePicture(
  db: Database,
  file: Buffer,
  part: PicturePart,
  { actor, network }: Attribution,
): Promise<{ reference: string; width: number; height: number }> {
  const sourceHash = createHash('sha256').update(file).digest()
  const known = await renew(db).where('source', '=', sourceHash).where('part', '=', part).executeTakeFirst()
  if (known) return describe(known.name)
  const decoding = lastDecoding.then(() => decodePicture(file, part))
  lastDecoding = decoding.catch(() => {})
  const encoded = await decoding
  const name = nameOf(encoded)
  await inTransaction(db, async (tx) => {
    // Another file, or an upload for the other part, may have been encoded into the same picture.
    if (await renew(tx).where('name', '=', name).executeTakeFirst()) return
    const { webp, png } = encoded
    const stored = await tx
      .insertInto('pictures')
      .values({ name, webp, png, source: sourceHash, part })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst()
    const after = { part, picture: hashOf(encoded) }
    if (stored) await record(tx, { actor, action: 'picture.stored', after, network })
  })
  return describe(name)
}

function describe(name: string) {
  const { webp } = pictureUrls(name)
  const { width = 0, height = 0 } = parsePictureReference(webp) ?? {}
  return { reference: webp, width, height }
}

/** Query that makes stored pictures count as uploaded now, and returns their names. */
const renew = (db: Database | Tx) =>
  db
    .updateTable('pictures')
    .set({ created_at: sql`now()` })
    .returning('name')

const hashOf = ({ webp, png }: EncodedPicture) => createHash('sha256').update(webp).update(png).digest('hex')

/** Contains a hash of the picture, so that browsers may cache it forever. */
const nameOf = (encoded: EncodedPicture) => `${hashOf(encoded)}-${encoded.width}x${encoded.height}`

/** @returns whether the picture is stored. If so, no one can delete it until the transaction ends. */
export async function lockStoredPicture(db: Database | Tx, reference: string): Promise<boolean> {
  const name = parsePictureReference(reference)?.name
  if (name === undefined) return false
  const stored = db.selectFrom('pictures').select('name').where('name', '=', name).forShare()
  return (await stored.executeTakeFirst()) !== undefined
}

const FILE_NAME = /^([0-9a-f]{64}-\d{1,4}x\d{1,4})\.(webp|png)$/

/** @param file the last part of the picture's URL, which names the format. */
export async function readPictureFile(
  db: Database,
  file: string,
): Promise<{ type: string; content: Buffer } | undefined> {
  const [, name, format] = FILE_NAME.exec(file) ?? []
  if (name === undefined || (format !== 'webp' && format !== 'png')) return undefined
  const bytes = sql.ref<Buffer>(format).as('content')
  const picture = await db.selectFrom('pictures').select(bytes).where('name', '=', name).executeTakeFirst()
  return picture && { type: `image/${format}`, content: picture.content }
}

export async function readPng(publicReads: PublicReads, reference: string): Promise<Buffer | undefined> {
  const file = parsePictureReference(reference)?.png.replace('/brand/', '')
  return file === undefined ? undefined : (await publicReads.read((db) => readPictureFile(db, file)))?.content
}

/** Whether the picture `p` is named in a campaign's settings, an override, or the value it overrides. */
const IS_NAMED = sql`(
  exists (select from campaigns c where position(p.name in c.settings::text) > 0)
  or exists (select from campaign_overrides o
    where position(p.name in o.value::text) > 0 or position(p.name in o.file_value::text) > 0))`

/**
 * Deletes pictures that no setting names, a day after the upload. If a setting has named them before, deletes
 * them a month after the last time, because emails and pages that were sent meanwhile show them.
 * @returns how many were deleted.
 */
export async function purgePictures(db: Database): Promise<number> {
  await sql`update pictures p set last_used_at = now()
    where ${IS_NAMED} and (last_used_at is null or last_used_at < now() - interval '1 hour')`.execute(db)
  return inTransaction(db, async (tx) => {
    // Skips pictures that are locked because a setting is about to name them, and locks the others.
    const { rows } = await sql<{ name: string }>`
      select name from pictures p
      where not ${IS_NAMED} and created_at < now() - interval '1 day'
        and (last_used_at is null or last_used_at < now() - interval '30 days')
      for update skip locked`.execute(tx)
    if (rows.length === 0) return 0
    // Checked again: a setting may have named a picture between the first check and the lock.
    const { numAffectedRows = 0n } = await sql`
      delete from pictures p
      where name = any(${rows.map(({ name }) => name)}) and not ${IS_NAMED}`.execute(tx)
    return Number(numAffectedRows)
  })
}
