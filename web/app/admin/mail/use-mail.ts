import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import {
  addSuppression,
  type EmailState,
  listMail,
  listSuppressions,
  mailSender,
  mailSummary,
  removeSuppression,
  resendFailedMail,
  resendMail,
} from '#contract/dashboard/mail.ts'
import { MAIL, OUTBOX } from '#messages/dashboard-mail.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { canAdminister } from '../dashboard-screen.tsx'

/** Key prefix of everything about emails. */
export const MAIL_QUERY = ['mail']

/** Polling interval of the outbox, in milliseconds. */
const WATCH_MS = 5_000

export function useOutboxSummary() {
  return useQuery({
    queryKey: [...MAIL_QUERY, 'summary'],
    queryFn: async () => (await call(mailSummary, {})).data,
    enabled: canAdminister(),
    refetchInterval: WATCH_MS,
  })
}

/** `to`: only emails to exactly this address; empty for all. */
export type OutboxView = { state: EmailState | ''; to: string }

export function useOutbox({ state, to }: OutboxView) {
  return useInfiniteQuery({
    queryKey: [...MAIL_QUERY, 'outbox', state, to],
    queryFn: ({ pageParam }) =>
      call(listMail, {
        query: {
          ...(state === '' ? {} : { state }),
          ...(to === '' ? {} : { to }),
          ...(pageParam === null ? {} : { after: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: canAdminister(),
    refetchInterval: WATCH_MS,
  })
}

/** A call that changes something about emails; shows its message, or the one that `reportOf` makes of the reply. */
export function useMailChange<Args, Reply extends { message: string }>(
  send: (args: Args) => Promise<Reply>,
  { onDone, reportOf }: { onDone?: () => void; reportOf?: (reply: Reply) => string } = {},
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (reply) => {
      toast.success(reportOf?.(reply) ?? reply.message)
      onDone?.()
    },
    onError: (error) => toast.error(messageOf(error, MAIL.notDone)),
    onSettled: () => queries.invalidateQueries({ queryKey: MAIL_QUERY }),
  })
}

export const useResend = () => useMailChange((id: string) => call(resendMail, { params: { id } }))

export const useResendFailed = (onDone: () => void) =>
  useMailChange((hours: number) => call(resendFailedMail, { body: { hours } }), {
    onDone,
    reportOf: ({ resent }) => OUTBOX.resent({ count: resent }),
  })

export function useSender() {
  return useQuery({
    queryKey: [...MAIL_QUERY, 'sender'],
    queryFn: async () => (await call(mailSender, {})).data,
    enabled: canAdminister(),
  })
}

export function useSuppressions() {
  return useQuery({
    queryKey: [...MAIL_QUERY, 'suppressions'],
    queryFn: () => call(listSuppressions, {}),
    enabled: canAdminister(),
  })
}

export const useSuppress = (onDone: () => void) =>
  useMailChange((email: string) => call(addSuppression, { body: { email } }), { onDone })

export const useUnsuppress = () => useMailChange((id: string) => call(removeSuppression, { params: { id } }))
