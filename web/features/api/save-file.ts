import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { readStored } from '#web/features/session/storage.ts'
import { type RequestParts, urlOf } from './call.ts'

/** Fetches the file of an endpoint; a link would not send the session’s token. @throws if it is refused. */
export async function fetchFile(endpoint: Endpoint, parts: RequestParts): Promise<Blob> {
  const headers = { authorization: `Bearer ${readStored('token') ?? ''}` }
  const response = await fetch(urlOf(endpoint, parts), { headers, credentials: 'include', cache: 'no-store' })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return response.blob()
}

/** Lets the browser save a file. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not at once: some browsers begin the download only later. Once begun, it no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Lets the browser save an account's data as `USERNAME.json`. */
export const saveAsJson = (data: unknown, username: string) =>
  saveAs(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `${username}.json`)
