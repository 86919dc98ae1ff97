import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { LOCALE } from '#messages/locale.js'
import { isUnauthenticated, messageOf, readRefusal } from '#web/features/api/api-error.ts'
import { type RequestParts, urlOf } from '#web/features/api/call.ts'
import { readStored } from '#web/features/session/storage.ts'
import { saveAs } from '#web/ui/save-file.ts'

/** `name` is the name of the saved file; by default the one in the endpoint. */
type Download = RequestParts & { endpoint: Endpoint; name?: string }

/** Downloads files. @param failed the toast after a failure without a message from the server. */
export function useDownload(failed: string = DASHBOARD_WORDS.downloadFailed) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ endpoint, name = endpoint.file?.name ?? '', ...parts }: Download) =>
      saveAs(await fetchFile(endpoint, parts), name),
    onError: (error) => {
      console.error(error)
      toast.error(messageOf(error, failed))
      // The screen's queries are then repeated, and their refusal leads to the login.
      if (isUnauthenticated(error)) void queries.invalidateQueries()
    },
  })
}

/** Fetches an endpoint's file. A link would not send the session's token. @throws if it is refused. */
async function fetchFile(endpoint: Endpoint, parts: RequestParts): Promise<Blob> {
  const headers = { authorization: `Bearer ${readStored('token') ?? ''}`, 'accept-language': LOCALE }
  const response = await fetch(urlOf(endpoint, parts), { headers, credentials: 'include', cache: 'no-store' })
  if (!response.ok) throw await readRefusal(response)
  return response.blob()
}
