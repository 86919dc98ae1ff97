import * as contract from '#contract/dashboard/mail.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { publicRoute, route, type Route } from '#server/platform/http/route.ts'
import { createMailFlow } from './mail-flow.ts'
import { listEmails, readOutbox, resend, resendFailed } from './outbox.ts'
import { domainOf, examineSender, type TxtResolver } from './sender.ts'
import { addSuppression, listSuppressions, removeSuppression } from './suppressions.ts'

export type MailOptions = {
  takesEmails: () => Promise<boolean> // asks the mail server
  resolver: TxtResolver
  /** The value of MAIL_FROM. */
  from: string
  /** The value of DKIM_SELECTOR. */
  selector: string | undefined
  smtpUrl: string | undefined
}

export function mailRoutes(deps: Deps, options: MailOptions): Route[] {
  const readFlow = createMailFlow(deps, options)
  return [
    route(contract.mailSummary, async () => ({ data: await readOutbox(deps) })),
    route(contract.listMail, ({ query }) => listEmails(deps, query)),
    route(contract.resendMail, async ({ params, caller, network }) => {
      await resend(deps, params.id, { actor: caller.userId, network })
      return { message: messages.mailResent }
    }),
    route(contract.resendFailedMail, async ({ body, caller, network }) => ({
      resent: await resendFailed(deps, body.hours, { actor: caller.userId, network }),
      message: messages.failedMailResent,
    })),
    route(contract.mailSender, async () => ({ data: await readSender(options) })),
    route(contract.listSuppressions, () => listSuppressions(deps.db)),
    route(contract.addSuppression, async ({ body, caller, network }) => {
      await addSuppression(deps, body.email, { actor: caller.userId, network })
      return { message: messages.addressSuppressed }
    }),
    route(contract.removeSuppression, async ({ params, caller, network }) => {
      await removeSuppression(deps, params.id, { actor: caller.userId, network })
      return { message: messages.addressUnsuppressed }
    }),
    publicRoute(contract.mailFlow, async () => ({ data: await readFlow() })),
  ]
}

async function readSender({ resolver, from, selector, smtpUrl }: MailOptions) {
  const domain = domainOf(from)
  const server = smtpUrl === undefined ? null : new URL(smtpUrl).hostname
  const findings = await examineSender(resolver, { domain, selector, server: server ?? undefined })
  return { from, domain, server, findings }
}
