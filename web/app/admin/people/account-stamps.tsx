import type { PersonRow } from '#contract/dashboard/people.ts'
import { PEOPLE } from '#messages/dashboard-people.js'
import { Stamp } from '#web/ui/stamp.tsx'

export function AccountStamps({ account: { role, state } }: { account: Pick<PersonRow, 'role' | 'state'> }) {
  return (
    <>
      {role === 'admin' && <Stamp>{PEOPLE.administrator}</Stamp>}
      {state !== 'open' && <Stamp tone={state === 'banned' ? 'accent' : 'ink'}>{PEOPLE.state[state]}</Stamp>}
    </>
  )
}
