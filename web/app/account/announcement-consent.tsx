import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { announcementConsent, setAnnouncementConsent } from '#contract/dashboard/announcements.ts'
import { PROFILE_ANNOUNCEMENTS as WORDS } from '#messages/announcements.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { isFirstLoad, useData } from '#web/features/api/use-data.ts'
import { Checkbox } from '#web/ui/forms/checkbox.tsx'
import { MissingPart } from '../missing-part.tsx'
import { PendingSection } from './profile-section.tsx'

const CONSENT_QUERY = ['announcement consent']

/** Whether the participant wants announcements by email. A change is saved at once. */
export function AnnouncementConsent() {
  const queries = useQueryClient()
  const consent = useData(announcementConsent, { queryKey: CONSENT_QUERY })
  const { data, isLoadingError, refetch } = consent
  const change = useMutation({
    mutationFn: (wanted: boolean) => call(setAnnouncementConsent, { body: { wanted } }),
    onSuccess: async ({ data: saved, message }) => {
      // The reply to a query under way must not replace the saved value.
      await queries.cancelQueries({ queryKey: CONSENT_QUERY })
      queries.setQueryData(CONSENT_QUERY, saved)
      toast.success(message)
    },
    onError: (error) => toast.error(messageOf(error, WORDS.failed)),
  })
  if (isLoadingError) return <MissingPart onRetry={() => void refetch()} />
  if (!data) return isFirstLoad(consent) ? <PendingSection /> : null
  const wanted = change.isPending ? change.variables : data.wanted
  return (
    <Checkbox
      checked={wanted}
      // Not `disabled`, which would take the focus away.
      aria-disabled={change.isPending || undefined}
      onChange={({ target }) => !change.isPending && change.mutate(target.checked)}
      className="mt-8"
    >
      {WORDS.label}
    </Checkbox>
  )
}
