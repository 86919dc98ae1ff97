import type { Sharp } from 'sharp'
import { PICTURE_LIMITS, type PicturePart } from '#contract/dashboard/pictures.ts'
import { Refusal, refuse } from '#server/platform/refusal.ts'

export type EncodedPicture = { webp: Buffer; png: Buffer; width: number; height: number }

/** Limits in pixels. Pages show `webp` at a third of its size. `png` is for emails, icons and sharing. */
const BOXES = {
  logo: { webp: { width: 384, height: 96 }, png: { width: 512, height: 512 } },
  mascot: { webp: { width: 640, height: 640 }, png: { width: 512, height: 512 } },
} as const
/** For each decoding and each encoding. */
const TIMEOUT_SECONDS = 10

/** Encodes an untrusted picture again, without metadata. @throws refusal that says what is wrong with it. */
export async function decodePicture(file: Buffer, part: PicturePart): Promise<EncodedPicture> {
  refuseBySizeOrFormat(file)
  // Loaded only with the first picture, because most nodes never decode one.
  const { default: sharp } = await import('sharp')
  // Decoding takes much memory, so there is no cache and only one thread.
  sharp.cache(false)
  sharp.concurrency(1)
  const open = () =>
    sharp(file, { limitInputPixels: PICTURE_LIMITS.maxPixels, failOn: 'error' })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .toColorspace('srgb')
  try {
    await refuseIfTooSmall(open())
    const boxes = BOXES[part]
    const fit = { fit: 'inside', withoutEnlargement: true } as const
    const webp = await open()
      .resize({ ...boxes.webp, ...fit })
      .webp({ quality: 90, alphaQuality: 100 })
      .toBuffer({ resolveWithObject: true })
    const png = await open()
      .resize({ ...boxes.png, ...fit })
      .png({ compressionLevel: 9 })
      .toBuffer()
    return { webp: webp.data, png, width: webp.info.width, height: webp.info.height }
  } catch (error) {
    throw refusalFor(error)
  }
}

/** Recognizes the format by the first bytes, because a name or declared type proves nothing. */
function refuseBySizeOrFormat(file: Buffer): void {
  if (file.length > PICTURE_LIMITS.maxBytes) throw refuse('picture_too_large')
  const start = file.toString('latin1', 0, 512)
  const isPng = start.startsWith('\x89PNG\r\n\x1a\n')
  const isJpeg = start.startsWith('\xff\xd8\xff')
  const isWebp = start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP'
  if (isPng || isJpeg || isWebp) return
  throw refuse(/<svg[\s>]|<!DOCTYPE svg/i.test(start) ? 'picture_svg' : 'picture_unknown_format')
}

async function refuseIfTooSmall(picture: Sharp): Promise<void> {
  const { width, height } = await picture.metadata()
  if (Math.max(width, height) < PICTURE_LIMITS.minLongerSide) throw refuse('picture_too_small')
}

/** Errors of libvips have messages that are not written for people. */
function refusalFor(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  return refuse(
    /pixel limit|too large/i.test(error.message) ? 'picture_too_many_pixels' : 'picture_unreadable',
  )
}
