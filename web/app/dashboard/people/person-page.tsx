import type { ReactNode } from 'react'
import type { PersonRow } from '#contract/dashboard/people.ts'
import { type Person, person as personCall } from '#contract/dashboard/person.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { PEOPLE, PERSON } from '#messages/dashboard-people.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { ApiError } from '#web/features/api/api-error.ts'
import { useData } from '#web/features/api/use-data.ts'
import { Ago, AgoIn, DateTime, DateTimeIn } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/text/email-text.tsx'
import { formatInteger, shortenAddress } from '#web/ui/text/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { CAMPAIGN } from '../../campaign-data.ts'
import { ScreenLink } from '../../screen-link.tsx'
import { DashboardScreen, DashboardSection } from '../dashboard-screen.tsx'
import { Figure, Figures } from '../ui/figure.tsx'
import { PEOPLE_QUERY, PersonActions } from './person-actions.tsx'
import { PersonClaims } from './person-claims.tsx'
import { Connections } from './person-connections.tsx'
import { Journal, Ledger, Mails, Sessions } from './person-records.tsx'
import { Copy } from '../ui/copy.tsx'

export function PersonScreen({ userId }: { userId: string }) {
  const { data, error, isError, refetch } = useData(personCall, {
    queryKey: [...PEOPLE_QUERY, userId],
    params: { userId },
  })
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.people} error={error}>
      <ScreenLink href={DASHBOARD_ROUTES.people.path} className="standalone-link mt-4">
        {PERSON.back}
      </ScreenLink>
      {data && <Page person={data} />}
      {!data && isError && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !isError && <Loading />}
    </DashboardScreen>
  )
}

function Page({ person }: { person: Person }) {
  return (
    <div className="mt-2 grid grid-cols-1 gap-10">
      <Head person={person} />
      <Points person={person} />
      <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
        <div className="grid grid-cols-1 content-start gap-10">
          <PersonClaims claims={person.claims} hasProofs={person.state !== 'deleted'} />
          <Ledger rows={person.ledger} />
        </div>
        <div className="grid grid-cols-1 content-start gap-10">
          <Facts person={person} />
          <Connections person={person} />
          <Mails mails={person.mails} />
          <Sessions sessions={person.sessions} />
        </div>
      </div>
      <Journal entries={person.journal} />
    </div>
  )
}

function Head({ person }: { person: Person }) {
  const { username, state, ban, roleOffer, isSelf } = person
  return (
    <header className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 text-2xl break-words">
          <bdi>{state === 'deleted' ? PEOPLE.deletedName : username}</bdi>
        </h1>
        <AccountStamps account={person} />
      </div>
      {ban && (
        <p className="max-w-[70ch] border-s-[3px] border-accent ps-3">
          <span className="font-semibold">{PERSON.bannedFor}</span>{' '}
          <span dir="auto" className="whitespace-pre-line">
            {ban.reason ?? PEOPLE.none}
          </span>{' '}
          <Ago at={ban.at} className="text-ink-soft" />
        </p>
      )}
      {roleOffer && (
        <p className="font-semibold">
          <AgoIn
            message={({ time }) =>
              roleOffer.by === null ? PERSON.offered({ time }) : PERSON.offeredBy({ who: roleOffer.by, time })
            }
            at={roleOffer.at}
          />
        </p>
      )}
      {isSelf && <p className="text-ink-soft">{PERSON.self}</p>}
      {state === 'deleted' ? (
        <p className="text-ink-soft">{PERSON.deleted}</p>
      ) : (
        !isSelf && <PersonActions person={person} />
      )}
    </header>
  )
}

export function AccountStamps({ account: { role, state } }: { account: Pick<PersonRow, 'role' | 'state'> }) {
  return (
    <>
      {role === 'admin' && <Stamp>{PEOPLE.administrator}</Stamp>}
      {state !== 'open' && <Stamp tone={state === 'banned' ? 'accent' : 'ink'}>{PEOPLE.state[state]}</Stamp>}
    </>
  )
}

function Points({ person: { points } }: { person: Person }) {
  return (
    <Figures>
      <Figure label={PERSON.pointsOf({ symbol: CAMPAIGN.token.symbol })}>{formatInteger(points.pf)}</Figure>
      <Figure label={PERSON.pointsOf({ symbol: CAMPAIGN.chain.currency.symbol })}>
        {formatInteger(points.pls)}
      </Figure>
      <Figure label={PERSON.referralPoints}>{formatInteger(points.referral)}</Figure>
      <Figure label={PERSON.total}>{formatInteger(points.total)}</Figure>
    </Figures>
  )
}

function Facts({ person }: { person: Person }) {
  const { _id, email, slot, waitingSince, frozenWallet, provenWallet, telegram } = person
  return (
    <DashboardSection title={PERSON.facts}>
      <dl className="divide-y divide-hairline border-b border-hairline text-sm">
        <Fact name={PERSON.id}>
          <span className="font-mono text-xs break-all">{_id}</span>
          <Copy text={_id} contentName={PERSON.id} variant="quiet" />
        </Fact>
        {email && (
          <Fact name={PERSON.email}>
            <span className="wrap-anywhere">
              <EmailText email={email} />
            </span>
          </Fact>
        )}
        <Fact name={PERSON.registered}>
          <Ago at={person.registeredAt} />
        </Fact>
        {person.referralCode && <Fact name={PERSON.referralCode}>{person.referralCode}</Fact>}
        <Fact name={PERSON.announcements}>
          {person.wantsAnnouncements ? PERSON.wantsThem : PERSON.wantsNone}
        </Fact>
        {slot && (
          <Fact name={PERSON.slot}>
            <span>
              <Slot slot={slot} />
            </span>
          </Fact>
        )}
        {waitingSince && (
          <Fact name={PERSON.waiting}>
            <DateTime at={waitingSince} />
          </Fact>
        )}
        {frozenWallet && <Wallet name={PERSON.frozenWallet} address={frozenWallet} />}
        {provenWallet && <Wallet name={PERSON.provenWallet} address={provenWallet.address} />}
        {telegram && (
          <Fact name={PERSON.telegram}>
            {telegram.username === null ? PERSON.noTelegramName : `@${telegram.username}`}
          </Fact>
        )}
      </dl>
    </DashboardSection>
  )
}

function Slot({ slot: { number, state, until } }: { slot: NonNullable<Person['slot']> }) {
  const { slots } = PERSON
  if (state === 'claimed' || until === null) return slots[state]({ number })
  const message = { kept: slots.keptUntil, reserved: slots.reservedUntil }[state]
  return <DateTimeIn message={({ time }) => message({ number, time })} at={until} />
}

function Wallet({ name, address }: { name: string; address: string }) {
  return (
    <Fact name={name}>
      <span className="font-mono" title={address}>
        {shortenAddress(address)}
      </span>
    </Fact>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_minmax(0,1fr)] items-center gap-x-4 py-2">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="flex flex-wrap items-center justify-between gap-x-3">{children}</dd>
    </div>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  // 400: this page's URL does not end with an id.
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return (
    <div role="alert" className="mt-4 grid justify-items-start gap-4">
      <h1 className="text-2xl">{isUnknown ? PERSON.unknown : PERSON.failed}</h1>
      {!isUnknown && (
        <Button variant="secondary" onClick={onRetry}>
          {DASHBOARD_WORDS.again}
        </Button>
      )}
    </div>
  )
}

function Loading() {
  return (
    <div role="status" aria-label={PERSON.loading} className="mt-4 grid gap-6">
      <Skeleton className="h-10 w-1/3" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}
