import { PICTURE_LIMITS, type PicturePart, uploadPicture } from '#contract/dashboard/pictures.ts'
import { LOOK } from '#messages/dashboard-look.js'
import { ApiError, readRefusal } from '#web/features/api/api-error.ts'
import { urlOf } from '#web/features/api/call.ts'
import { readStored } from '#web/features/session/storage.ts'
import * as z from 'zod/mini'

/**
 * Uploads a picture; apart from other calls, which send JSON.
 * @returns what the look calls it.
 * @throws ApiError
 */
export async function upload(part: PicturePart, file: File): Promise<string> {
  if (file.size > PICTURE_LIMITS.bytes)
    throw new ApiError(413, { message: LOOK.tooLarge, code: 'picture_too_large' })
  const response = await send(part, file)
  if (!response.ok) throw await readRefusal(response)
  const reply = z.safeParse(uploadPicture.reply, await response.json().catch(() => null))
  if (!reply.success) throw new ApiError(response.status, { message: '', code: 'unreadable' })
  return reply.data.data.reference
}

async function send(part: PicturePart, file: File): Promise<Response> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/octet-stream',
    authorization: `Bearer ${readStored('token') ?? ''}`,
  }
  try {
    return await fetch(urlOf(uploadPicture, { params: { part } }), {
      method: uploadPicture.method,
      headers,
      credentials: 'include',
      body: file,
    })
  } catch {
    throw new ApiError(0, { message: '', code: 'unreachable' })
  }
}
