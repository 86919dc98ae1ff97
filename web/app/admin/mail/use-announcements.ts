import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type Announcement,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
  previewAnnouncement,
  sendAnnouncement,
  stopAnnouncement,
  testAnnouncement,
} from '#contract/dashboard/announcements.ts'
import { call } from '#web/features/api/call.ts'
import { useChange } from '../use-change.ts'
import { MAIL_QUERY } from './use-mail.ts'

export type Content = { subject: string; text: string }

/** Polling interval while an announcement is being sent. */
const POLL_MS = 1_500

export function useAnnouncements() {
  return useQuery({
    queryKey: [...MAIL_QUERY, 'announcements'],
    queryFn: () => call(listAnnouncements, {}),
    refetchInterval: (query) =>
      query.state.data?.data.some(({ state }) => state === 'sending') ? POLL_MS : false,
  })
}

/**
 * The email that a draft would become; while it is being fetched, the previous one. The key is not below
 * MAIL_QUERY, because changes of the mail do not affect a preview.
 */
export function usePreview(content: Content) {
  return useQuery({
    queryKey: ['announcement preview', content.subject, content.text],
    queryFn: async () => (await call(previewAnnouncement, { body: content })).data,
    enabled: content.subject.trim() !== '' && content.text.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
}

type Draft = { id: string | null; content: Content }

/** Saves a draft, new if it has no id. */
const save = ({ id, content: body }: Draft) =>
  id === null ? call(createAnnouncement, { body }) : call(changeAnnouncement, { params: { id }, body })

export const useSaveDraft = () => useChange(MAIL_QUERY, save)

/** Saves a draft, so that the test has what is on the screen, and sends it to the administrator only. */
export const useSendTest = (onSaved: (saved: Announcement) => void) =>
  useChange(MAIL_QUERY, async (draft: Draft) => {
    const { data } = await save(draft)
    onSaved(data)
    return call(testAnnouncement, { params: { id: data.id } })
  })

export const useDeleteDraft = () =>
  useChange(MAIL_QUERY, (id: string) => call(deleteAnnouncement, { params: { id } }))

export const useSend = (onSent: (sent: Announcement) => void) =>
  useChange(
    MAIL_QUERY,
    ({ id, perMinute }: { id: string; perMinute: number }) =>
      call(sendAnnouncement, { params: { id }, body: { perMinute } }),
    { onDone: ({ data }) => onSent(data) },
  )

export const useStop = () => useChange(MAIL_QUERY, (id: string) => call(stopAnnouncement, { params: { id } }))
