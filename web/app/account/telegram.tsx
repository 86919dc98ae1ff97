import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import {
  beginTelegram,
  disconnectTelegram,
  finishTelegram,
  type TelegramAccount,
} from '#contract/accounts/telegram.ts'
import { TELEGRAM } from '#messages/claim.js'
import { hasGroup } from '#web/content/tasks.ts'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { useChange } from '#web/features/api/use-change.ts'
import { OWN_CLAIM_QUERY } from '#web/features/claim/use-own-claim.ts'
import { Button } from '#web/ui/button.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import { takeTelegramReturn } from './telegram-return.ts'

export function Telegram({ account }: { account: TelegramAccount | null }) {
  const isFinishing = useReturnFromTelegram()
  return (
    <section className="grid justify-items-start gap-3 border-t border-hairline pt-5">
      <h3 className="label font-text">{TELEGRAM.title}</h3>
      {account ? <Connected account={account} /> : <Connect isFinishing={isFinishing} />}
    </section>
  )
}

/** Completes the connection after Telegram's redirect. @returns whether that is still pending. */
function useReturnFromTelegram(): boolean {
  const { mutate, isPending } = useConnectionChange((body: { code: string; state: string }) =>
    call(finishTelegram, { body }),
  )
  useEffect(() => {
    const telegramReturn = takeTelegramReturn()
    if (telegramReturn === 'declined') toast.error(TELEGRAM.declined)
    else if (telegramReturn) mutate(telegramReturn)
  }, [mutate])
  return isPending
}

function Connect({ isFinishing }: { isFinishing: boolean }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(beginTelegram, {}),
    onSuccess: ({ data }) => location.assign(data.url),
    onError: (error) => toast.error(messageOf(error, TELEGRAM.failed)),
  })
  return (
    <>
      <p className="max-w-[56ch] text-sm text-ink-soft">
        {TELEGRAM.lead({ hasGroup: hasGroup(CAMPAIGN.airdrop.tasks) })}
      </p>
      <Button
        variant="secondary"
        size="compact"
        isPending={isPending || isFinishing}
        onClick={() => mutate()}
      >
        {isFinishing ? TELEGRAM.connecting : TELEGRAM.connect}
      </Button>
    </>
  )
}

function Connected({ account: { username } }: { account: TelegramAccount }) {
  const { mutate, isPending } = useConnectionChange(() => call(disconnectTelegram, {}))
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
      <p className="wrap-anywhere">{TELEGRAM.connectedAs({ username })}</p>
      <Button variant="quiet" isPending={isPending} onClick={() => mutate()}>
        {TELEGRAM.disconnect}
      </Button>
    </div>
  )
}

const useConnectionChange = <Args = void,>(send: (args: Args) => Promise<{ message: string }>) =>
  useChange({
    send,
    affects: [OWN_CLAIM_QUERY],
    reportOf: ({ message }) => message || TELEGRAM.done,
    fallback: TELEGRAM.failed,
  })
