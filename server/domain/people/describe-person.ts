import type { Person } from '#contract/dashboard/person.ts'
import type { Deps } from '#server/deps.ts'
import { readPerson } from './read-person.ts'

/** The newest emails; the dashboard shows more. */
const MAX_MAILS = 5

/** What an operator at a terminal wants to know about an account, in lines. */
export async function describePerson(deps: Pick<Deps, 'db' | 'campaign'>, userId: string): Promise<string[]> {
  const person = await readPerson(deps, userId, { reader: null })
  const { points, referrals, sessions, mails } = person
  const { token, chain } = deps.campaign
  return [
    person.state === 'deleted' ? 'A deleted account' : `${person.username} <${person.email}>`,
    `id          ${person._id}`,
    `state       ${stateOf(person)}`,
    `role        ${person.role === 'admin' ? 'administrator' : 'participant'}`,
    `registered  ${person.registeredAt}`,
    `points      ${points.total} (${points.pf} ${token.symbol}, ${points.pls} ${chain.currency.symbol}, ${points.referral} for referrals)`,
    ...person.claims.map(
      ({ attempt, campaign, status, submittedAt, wallet }) =>
        `claim       attempt ${attempt} in ${campaign}: ${status.replace('_', ' ')}, sent ${submittedAt}, wallet ${wallet}`,
    ),
    `invited     ${referrals.count}${referrals.invitedBy ? `; was invited by ${referrals.invitedBy.username}` : ''}`,
    `sessions    ${sessions.length}`,
    ...mails
      .slice(0, MAX_MAILS)
      .map(
        ({ template, state, queuedAt, trouble }) =>
          `email       ${template}: ${state.replace('_', ' ')}, ${queuedAt}${trouble ? ` (${trouble})` : ''}`,
      ),
  ]
}

function stateOf({ state, ban, deletedAt }: Person): string {
  if (state === 'deleted') return `deleted on ${deletedAt}`
  return ban ? `banned since ${ban.at}: ${ban.reason ?? 'no reason is known'}` : 'open'
}
