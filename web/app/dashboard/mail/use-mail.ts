import { mailSummary } from '#contract/dashboard/mail.ts'
import { useData } from '#web/features/api/use-data.ts'

/** The first part of the keys of all queries about emails. */
export const MAIL_QUERY = ['mail']
export const POLL_MS = 5_000

export const useOutboxSummary = () =>
  useData(mailSummary, { queryKey: [...MAIL_QUERY, 'summary'], refetchInterval: POLL_MS })
