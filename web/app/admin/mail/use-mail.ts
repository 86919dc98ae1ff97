import { type EmailState, listMail, mailSummary, resendFailedMail } from '#contract/dashboard/mail.ts'
import { OUTBOX } from '#messages/dashboard-mail.js'
import { call } from '#web/features/api/call.ts'
import { useData } from '#web/features/api/use-data.ts'
import { useChange } from '../common/use-change.ts'
import { usePages } from '../common/paged-list.tsx'

/** Key prefix of everything about emails. */
export const MAIL_QUERY = ['mail']
const POLL_MS = 5_000

export const useOutboxSummary = () =>
  useData(mailSummary, { queryKey: [...MAIL_QUERY, 'summary'], refetchInterval: POLL_MS })

/** `to`: only emails to exactly this address; empty for all. */
export type OutboxView = { state: EmailState | ''; to: string }

export const useOutbox = ({ state, to }: OutboxView) =>
  usePages({
    queryKey: [...MAIL_QUERY, 'outbox', state, to],
    fetchPage: (after) => call(listMail, { query: { state: state || undefined, to, after } }),
    pollMs: () => POLL_MS,
  })

export const useResendFailed = (onDone: () => void) =>
  useChange(MAIL_QUERY, (hours: number) => call(resendFailedMail, { body: { hours } }), {
    onDone,
    reportOf: ({ resent }) => OUTBOX.resent({ count: resent }),
  })
