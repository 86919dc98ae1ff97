import { API_BASE } from '#contract/protocol/endpoint.ts'
import { readStored } from '#web/features/session/storage.ts'

/** Fetches a file through a call, because a link would not send the session’s token. @param path below the API's base. */
export async function fetchFile(path: string): Promise<Blob> {
  const headers = { authorization: `Bearer ${readStored('token') ?? ''}` }
  const response = await fetch(API_BASE + path, { headers, credentials: 'include', cache: 'no-store' })
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
  URL.revokeObjectURL(url)
}
