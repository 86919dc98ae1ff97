import type { ReactNode } from 'react'
import { SETUP_LINK } from '#messages/dashboard-setup.js'
import { ROUTES } from '#web/routes.ts'
import { AccountPage, Aside } from '../account/account-page.tsx'
import { Command } from './command.tsx'

/** Tells visitors without a usable link where to get one. */
export function NoLink({ children }: { children?: ReactNode }) {
  return (
    <AccountPage route={ROUTES.setup} title={SETUP_LINK.title} lead={SETUP_LINK.lead}>
      <div className="grid gap-4">
        {children ?? <p>{SETUP_LINK.where}</p>}
        <p>{SETUP_LINK.another}</p>
        <Command text={SETUP_LINK.command} />
      </div>
      <Aside question={SETUP_LINK.hasAccount} to={ROUTES.login.path}>
        {SETUP_LINK.login}
      </Aside>
    </AccountPage>
  )
}
