import { useMutation } from '@tanstack/react-query'
import { sendTestMail } from '#contract/dashboard/deployment.ts'
import { CHECKS } from '#messages/dashboard-setup.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { sessionUser } from '#web/features/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { FindingRow } from './finding-row.tsx'

/** Sends an email to the administrator and shows the mail server's answer. */
export function TestMail() {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => (await call(sendTestMail, {})).data,
  })
  return (
    <section aria-labelledby="test-mail">
      <h2 id="test-mail" className="text-xl">
        {CHECKS.mailTitle}
      </h2>
      <p className="mt-2 max-w-[60ch] wrap-anywhere text-ink-soft">
        {CHECKS.mailLead({ email: sessionUser()?.email ?? '' })}
      </p>
      <Button variant="secondary" className="mt-4" isPending={isPending} onClick={() => mutate()}>
        {isPending ? CHECKS.sending : CHECKS.send}
      </Button>
      <div role="status" className="mt-4">
        {error && <p className="font-semibold text-accent-text">{messageOf(error, CHECKS.sendFailed)}</p>}
        {data && !isPending && (
          <ul className="border-t border-hairline">
            <FindingRow finding={data} />
          </ul>
        )}
      </div>
    </section>
  )
}
