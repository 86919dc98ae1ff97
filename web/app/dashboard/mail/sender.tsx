import { RichText } from '#web/ui/text/rich-text.tsx'
import { type DnsFinding, mailSender } from '#contract/dashboard/mail.ts'
import { SENDER } from '#messages/dashboard-mail.js'
import { useData } from '#web/features/api/use-data.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { QueryContent } from '../ui/query-content.tsx'
import { MAIL_QUERY } from './use-mail.ts'
import { Copy } from '../ui/copy.tsx'

/** SPF, DKIM and DMARC of the sender's domain. */
export function Sender() {
  const sender = useData(mailSender, { queryKey: [...MAIL_QUERY, 'sender'] })
  return (
    <>
      <p className="mt-4 max-w-prose text-ink-soft">{SENDER.lead}</p>
      <QueryContent query={sender}>
        {(data) => (
          <div className="mt-6 grid grid-cols-1 gap-6" aria-busy={sender.isFetching}>
            <p className="wrap-anywhere">
              <RichText
                text={SENDER.path({ from: data.from, server: data.server ?? SENDER.mailbox })}
                tags={{ b: <strong /> }}
              />
            </p>
            <ul className="grid gap-px overflow-hidden rounded-md border border-hairline bg-hairline">
              {data.findings.map((finding) => (
                <FindingItem key={finding.record} finding={finding} />
              ))}
            </ul>
            <div>
              <Button variant="secondary" isPending={sender.isFetching} onClick={() => void sender.refetch()}>
                {SENDER.again}
              </Button>
            </div>
          </div>
        )}
      </QueryContent>
    </>
  )
}

const COLORS = { fine: 'text-proof', wrong: 'text-accent-text', could_not_tell: 'text-ink-soft' } as const

function FindingItem({ finding }: { finding: DnsFinding }) {
  const { record, outcome, found, publish } = finding
  return (
    <li className="grid gap-3 bg-paper p-4 sm:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-lg">
          {SENDER.names[record]}{' '}
          <span className="font-text text-sm font-normal text-ink-soft">{SENDER.what[record]}</span>
        </h2>
        <p className={classes('font-semibold', COLORS[outcome])}>{SENDER.outcomes[outcome]}</p>
      </div>
      <p className="max-w-prose empty:hidden">{reasonOf(finding)}</p>
      {found !== null && (
        <p className="grid gap-1">
          <span className="label">{SENDER.found}</span>
          <code className="text-sm whitespace-pre-line wrap-anywhere">{found}</code>
        </p>
      )}
      {publish ? <RecordToPublish record={publish} /> : needsProvider(finding) && <p>{SENDER.askProvider}</p>}
    </li>
  )
}

/** Only the email provider knows which servers its SPF record must name. */
const needsProvider = ({ record, outcome, reason }: DnsFinding) =>
  outcome === 'wrong' && record === 'spf' && reason === 'missing'

function reasonOf({ record, reason, outcome }: DnsFinding): string {
  if (reason === null) return ''
  if (reason === 'not_public') return SENDER.notPublic
  return (
    (SENDER.reasons[record] as Readonly<Record<string, string>>)[reason] ??
    (outcome === 'could_not_tell' ? SENDER.noAnswer({ reason }) : reason)
  )
}

function RecordToPublish({ record }: { record: NonNullable<DnsFinding['publish']> }) {
  return (
    <div className="grid gap-2 border-s-4 border-accent bg-ink/5 p-4">
      <p className="font-semibold">{SENDER.publish}</p>
      <dl className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        {(['type', 'name', 'value'] as const).map((field) => (
          <div key={field} className="contents">
            <dt className="text-ink-soft">{SENDER[field]}</dt>
            <dd className="font-mono wrap-anywhere">{record[field]}</dd>
          </div>
        ))}
      </dl>
      <div>
        <Copy text={record.value} />
      </div>
    </div>
  )
}
