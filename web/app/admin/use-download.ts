import { useMutation } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import type { RequestParts } from '#web/features/api/call.ts'
import { fetchFile, saveAs } from '#web/features/api/save-file.ts'

/** `name` is the saved file's; by default, it is the one that the endpoint declares. */
type Download = RequestParts & { endpoint: Endpoint; name?: string }

/** Downloads files. @param failed what a toast says after a failure. */
export function useDownload(failed: string = DASHBOARD_WORDS.downloadFailed) {
  return useMutation({
    mutationFn: async ({ endpoint, name = endpoint.file?.name ?? '', ...parts }: Download) =>
      saveAs(await fetchFile(endpoint, parts), name),
    onError: (error) => {
      console.error(error)
      toast.error(failed)
    },
  })
}
