import { RichText } from '#web/ui/text/rich-text.tsx'
import {
  endOneSession,
  endOtherSessions,
  listSessions,
  type OwnSession,
} from '#contract/accounts/own-sessions.ts'
import { SESSIONS } from '#messages/own-sessions.js'
import { call } from '#web/features/api/call.ts'
import { useChange } from '#web/features/api/use-change.ts'
import { isFirstLoad, useData } from '#web/features/api/use-data.ts'
import { Ago } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadError } from '#web/ui/load-error.tsx'
import { PendingSection, ProfileSection } from './profile-section.tsx'
import { Stamp } from '#web/ui/stamp.tsx'

const SESSIONS_QUERY = ['sessions']

export function OwnSessions() {
  return (
    <ProfileSection title={SESSIONS.title}>
      <div className="mt-6">
        <SessionList />
      </div>
    </ProfileSection>
  )
}

export function SessionList() {
  const sessions = useData(listSessions, { queryKey: SESSIONS_QUERY })
  const { data, isError, refetch } = sessions
  const endOthers = useSessionChange(() => call(endOtherSessions, {}))
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-[60ch] text-ink-soft">{SESSIONS.lead}</p>
      {data && (
        <ul className="grid grid-cols-1 border-t border-hairline">
          {data.map((session) => (
            <Session key={session.id} session={session} />
          ))}
        </ul>
      )}
      {isFirstLoad(sessions) && <PendingSection className="h-16" />}
      {isError && (
        <LoadError text={SESSIONS.failed} retryLabel={SESSIONS.again} onRetry={() => void refetch()} />
      )}
      {data && data.length > 1 && (
        <Button
          variant="secondary"
          className="justify-self-start"
          isPending={endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          {SESSIONS.endOthers}
        </Button>
      )}
    </div>
  )
}

function Session({ session }: { session: OwnSession }) {
  const { id, device, network, startedAt, lastUsedAt, isCurrent } = session
  const name = device ?? SESSIONS.unknown
  const endOne = useSessionChange(() => call(endOneSession, { params: { id } }))
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-hairline py-3">
      <div>
        <p className="font-semibold">
          {name}
          {network && <span className="font-normal text-ink-soft">, {SESSIONS.from({ network })}</span>}
        </p>
        <p className="text-sm text-ink-soft">
          {/* The texts of both tags are empty, because <Ago> writes the times. */}
          <RichText
            text={SESSIONS.times({ started: '', used: '' })}
            tags={{ started: <Ago at={startedAt} />, used: <Ago at={lastUsedAt} /> }}
          />
        </p>
      </div>
      {isCurrent ? (
        <Stamp tone="proof">{SESSIONS.current}</Stamp>
      ) : (
        <Button
          size="compact"
          variant="secondary"
          isPending={endOne.isPending}
          onClick={() => endOne.mutate()}
        >
          {SESSIONS.end}
          <span className="sr-only"> {SESSIONS.endOf({ device: name })}</span>
        </Button>
      )}
    </li>
  )
}

const useSessionChange = (send: () => Promise<{ message: string }>) =>
  useChange({ send, affects: [SESSIONS_QUERY], fallback: SESSIONS.notDone })
