import type { Sharp } from 'sharp'
import { PICTURE_LIMITS, type PicturePart } from '#contract/dashboard/pictures.ts'
import { Refusal, refuse } from '#server/platform/refusal.ts'

export type EncodedPicture = { webp: Buffer; png: Buffer; width: number; height: number }

/**
 * The boxes in pixels that a picture is fitted into: `webp` for pages, at three times its size there;
 * `png` for emails and for what is drawn from it, such as icons.
 */
const BOXES = {
  logo: { webp: { width: 384, height: 96 }, png: { width: 512, height: 512 } },
  mascot: { webp: { width: 640, height: 640 }, png: { width: 512, height: 512 } },
} as const
/** The limit for one decoding or encoding. */
const TIMEOUT_SECONDS = 10

/**
 * Decodes an untrusted picture and encodes it again, so that nothing of the original file is served, neither
 * metadata nor hidden content.
 * @throws refusal that says what is wrong with the picture.
 */
export async function decodePicture(file: Buffer, part: PicturePart): Promise<EncodedPicture> {
  refuseBySizeOrFormat(file)
  // Loaded with the first picture, since most nodes never need it.
  const { default: sharp } = await import('sharp')
  // Less memory, since decoding a picture takes much: no cache, and one thread.
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

/** Tells the format by the file's first bytes: its name and declared type prove nothing. */
function refuseBySizeOrFormat(file: Buffer): void {
  if (file.length > PICTURE_LIMITS.maxBytes) throw refuse('picture_too_large')
  const start = file.toString('latin1', 0, 512)
  const isOfKnownFormat =
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    start.startsWith('\xff\xd8\xff') ||
    (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP')
  if (isOfKnownFormat) return
  throw refuse(/<svg[\s>]|<!DOCTYPE svg/i.test(start) ? 'picture_svg' : 'picture_unknown_format')
}

async function refuseIfTooSmall(picture: Sharp): Promise<void> {
  const { width, height } = await picture.metadata()
  if (Math.max(width, height) < PICTURE_LIMITS.minLongerSide) throw refuse('picture_too_small')
}

/** Replaces an error of libvips, whose messages are not written for people, with a refusal. */
function refusalFor(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  return refuse(
    /pixel limit|too large/i.test(error.message) ? 'picture_too_many_pixels' : 'picture_unreadable',
  )
}
