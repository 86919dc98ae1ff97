import type { Answer } from './api.ts'

/**
 * An answer as one text, without what differs from call to call anyway (the date, the request's id, the
 * seconds of a Retry-After, the random part of a cookie): two that a stranger must not tell apart are equal byte by byte.
 */
export function comparable({ status, headers, body }: Answer): string {
  const { date: _date, ...others } = headers
  const { requestId: _requestId, ...words } = body
  if (others['retry-after'] !== undefined) others['retry-after'] = 'some'
  const text = JSON.stringify({ status, headers: others, body: words })
  return text.replace(/(?<=flow=)[\w-]{22}\.[\w-]{43}/, 'random')
}
