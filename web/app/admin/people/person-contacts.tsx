import type { Person, SentMail } from '#contract/dashboard/person.ts'
import { templateName } from '#web/content/dashboard/mail.ts'
import { PEOPLE, PERSON } from '#messages/dashboard-people.js'
import { CARD } from '#messages/dashboard-review.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { Ago, AgoIn } from '#web/features/time/time.tsx'
import { classes } from '#web/ui/classes.ts'
import { ScreenLink } from '../../screen-link.tsx'
import { DashboardSection } from '../dashboard-section.tsx'
import { personPath } from './use-people.ts'

const LIST = 'divide-y divide-hairline border-b border-hairline text-sm'

/** The people a person invited, their inviter, and the accounts that signals link to theirs. */
export function Circle({ person: { _id, referrals, cluster } }: { person: Person }) {
  const { invitedBy, count, invited } = referrals
  const others = cluster?.members.filter(({ userId }) => userId !== _id) ?? []
  return (
    <>
      <DashboardSection title={PERSON.referrals}>
        {invitedBy && (
          <p className="text-sm">
            {PERSON.invitedBy} <PersonLink id={invitedBy._id} name={invitedBy.username} />
          </p>
        )}
        <p className="text-sm">{PERSON.invited({ count })}</p>
        {invited.length > 0 && (
          <ul className={LIST}>
            {invited.map(({ _id: id, username, claimStatus }) => (
              <li key={id} className="flex items-center justify-between gap-4">
                <PersonLink id={id} name={username} />
                <span className="text-ink-soft">
                  {claimStatus === null ? PEOPLE.noClaim : CARD.status[claimStatus]}
                </span>
              </li>
            ))}
          </ul>
        )}
      </DashboardSection>
      {cluster && (
        <DashboardSection title={PERSON.cluster({ size: cluster.size })}>
          <ul className="list-disc ps-5 text-sm">
            {cluster.reasons.map(({ kind, reason, accounts }) => (
              <li key={kind}>
                <bdi>{reason}</bdi>{' '}
                <span className="text-ink-soft">{CARD.accounts({ count: accounts })}</span>
              </li>
            ))}
          </ul>
          <p className="flex flex-wrap gap-x-4 text-sm">
            {others.map(({ userId, username }) => (
              <PersonLink key={userId} id={userId} name={username} />
            ))}
          </p>
          <ScreenLink
            href={`${DASHBOARD_ROUTES.people.path}?cluster=${cluster.id}`}
            className="inline-flex min-h-11 items-center justify-self-start text-link text-sm"
          >
            {PERSON.allOfCluster}
          </ScreenLink>
        </DashboardSection>
      )}
    </>
  )
}

export function PersonLink({ id, name }: { id: string; name: string }) {
  return (
    <ScreenLink href={personPath(id)} className="inline-flex min-h-11 items-center text-link lg:min-h-8">
      <bdi>{name}</bdi>
    </ScreenLink>
  )
}

export function Mails({ mails }: { mails: readonly SentMail[] }) {
  return (
    <DashboardSection title={PERSON.mails}>
      {mails.length === 0 ? (
        <p className="text-sm text-ink-soft">{PERSON.noMails}</p>
      ) : (
        <ul className={LIST}>
          {mails.map((mail) => (
            <MailLine key={`${mail.template} ${mail.queuedAt}`} mail={mail} />
          ))}
        </ul>
      )}
    </DashboardSection>
  )
}

function MailLine({ mail: { template, state, queuedAt, endedAt, attempts, trouble } }: { mail: SentMail }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2">
      <span className="break-words">{templateName(template)}</span>
      <span className={classes(state === 'given_up' && 'font-semibold text-accent-text')}>
        {PERSON.mailState[state]} <Ago at={endedAt ?? queuedAt} className="text-ink-soft" />
      </span>
      {trouble && (
        <span className="col-span-2 wrap-anywhere text-ink-soft">
          {PERSON.attempts({ count: attempts })}: {trouble}
        </span>
      )}
    </li>
  )
}

export function Sessions({ sessions }: { sessions: Person['sessions'] }) {
  return (
    <DashboardSection title={PERSON.sessions}>
      {sessions.length === 0 ? (
        <p className="text-sm text-ink-soft">{PERSON.noSessions}</p>
      ) : (
        <ul className={LIST}>
          {sessions.map(({ startedAt, lastSeenAt, inBrowser }) => (
            <li key={startedAt} className="flex flex-wrap justify-between gap-x-4 py-2">
              <span>
                <AgoIn message={inBrowser ? PERSON.inBrowser : PERSON.byToken} at={startedAt} />
              </span>
              <span className="text-ink-soft">
                <AgoIn message={PERSON.lastSeen} at={lastSeenAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </DashboardSection>
  )
}
