import type { Person } from '#contract/dashboard/person.ts'
import { PEOPLE, PERSON } from '#messages/dashboard-people.js'
import { CARD } from '#messages/dashboard-review.js'
import { DASHBOARD_ROUTES, personPath } from '#web/dashboard-routes.ts'
import { ScreenLink } from '../../screen-link.tsx'
import { ClusterReasons } from '../claims/claim-parts.tsx'
import { DashboardSection } from '../dashboard-screen.tsx'

export function Connections({ person: { _id, referrals, cluster } }: { person: Person }) {
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
          <ul className="divide-y divide-hairline border-b border-hairline text-sm">
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
          <ClusterReasons reasons={cluster.reasons} />
          <p className="flex flex-wrap gap-x-4 text-sm">
            {others.map(({ userId, username }) => (
              <PersonLink key={userId} id={userId} name={username} />
            ))}
          </p>
          <ScreenLink
            href={`${DASHBOARD_ROUTES.people.path}?cluster=${cluster.id}`}
            className="standalone-link justify-self-start text-sm"
          >
            {PERSON.allOfCluster}
          </ScreenLink>
        </DashboardSection>
      )}
    </>
  )
}

function PersonLink({ id, name }: { id: string; name: string }) {
  return (
    <ScreenLink href={personPath(id)} className="inline-flex min-h-11 items-center text-link lg:min-h-8">
      <bdi>{name}</bdi>
    </ScreenLink>
  )
}
