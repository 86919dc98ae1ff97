import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'
import { MessageReply } from '../entities.ts'

export const PICTURE_PARTS = ['logo', 'mascot'] as const
export type PicturePart = (typeof PICTURE_PARTS)[number]

/** Limits of an upload. `maxPixels` is width × height; `minLongerSide` is in pixels. */
export const PICTURE_LIMITS = { maxBytes: 5 * 1024 * 1024, maxPixels: 16_777_216, minLongerSide: 64 } as const

export type StoredPicture = { name: string; width: number; height: number; webp: string; png: string }

const REFERENCE = /^\/brand\/([0-9a-f]{64}-([1-9][0-9]{0,3})x([1-9][0-9]{0,3}))\.webp$/

/** Parses a look's reference to an uploaded picture; undefined for the path of a file, or for none. */
export function parsePictureReference(reference: string | null | undefined): StoredPicture | undefined {
  const [, name, width, height] = REFERENCE.exec(reference ?? '') ?? []
  if (name === undefined) return undefined
  return { name, width: Number(width), height: Number(height), ...pictureUrls(name) }
}

export const pictureUrls = (name: string) => ({ webp: `/brand/${name}.webp`, png: `/brand/${name}.png` })

export const uploadPicture = endpoint('POST /pictures/:part', {
  access: 'admin',
  invalidatesCacheOf: [], // no public answer changes
  summary:
    'Store a logo or mascot: the body is a PNG, JPEG or WebP file. It is shown once a setting names the reference.',
  limits: [{ per: 'account', take: 20, seconds: 600 }],
  params: z.strictObject({ part: z.enum(PICTURE_PARTS) }),
  upload: { atMost: PICTURE_LIMITS.maxBytes, tooLarge: 'picture_too_large' },
  status: 201,
  reply: z.extend(MessageReply, {
    data: z.object({ reference: z.string(), width: z.number(), height: z.number() }),
  }),
  refusals: [
    'picture_unknown_format',
    'picture_svg',
    'picture_unreadable',
    'picture_too_many_pixels',
    'picture_too_small',
    'picture_too_large',
  ],
})
