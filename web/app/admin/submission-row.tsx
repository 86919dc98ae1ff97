import { useId } from 'react'
import type { User } from '#contract/entities.ts'
import { DASHBOARD } from '#web/content/dashboard.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { Cell, Row } from '#web/ui/table.tsx'
import { postLink } from './post-link.ts'
import { VerifyButton } from './verify-button.tsx'

/** How long a copy button says that it copied, in milliseconds. */
const COPIED_MS = 1000

/** A person and the proof to be judged. */
export function SubmissionRow({ user, number }: { user: User; number: number }) {
  const nameId = useId()
  const task = user.taskId
  return (
    <Row className={STACKED}>
      <Cell className="figures text-ink-soft max-lg:p-0">{number}</Cell>
      <Cell id={nameId} className="font-semibold break-words max-lg:p-0 max-lg:text-base">
        {user.username || DASHBOARD.none}
      </Cell>
      <Cell label={DASHBOARD.email} className={`wrap-anywhere ${LABELLED}`}>
        {user.email ? <EmailCell email={user.email} /> : DASHBOARD.none}
      </Cell>
      <Cell label={DASHBOARD.telegram} className={LABELLED}>
        <Copyable text={task?.telegram} />
      </Cell>
      <Cell label={DASHBOARD.twitter} className={LABELLED}>
        <Copyable text={task?.twitter} />
      </Cell>
      <Cell label={DASHBOARD.retweetLink} className={LABELLED}>
        <PostCell link={task?.retweetLink} describedBy={nameId} />
      </Cell>
      <Cell className="max-lg:col-start-2 max-lg:px-0">
        {task ? <VerifyButton task={task} describedBy={nameId} /> : DASHBOARD.none}
      </Cell>
    </Row>
  )
}

/** One element, so that the stacked row has it in one column. */
function EmailCell({ email }: { email: string }) {
  return (
    <span>
      <EmailText email={email} />
    </span>
  )
}

function Copyable({ text }: { text: string | undefined }) {
  const valueId = useId()
  if (!text) return DASHBOARD.none
  return (
    <span className="inline-flex max-w-full items-center justify-between gap-2 lg:flex">
      <span id={valueId} className="min-w-0 break-all">
        {text}
      </span>
      <CopyButton
        text={text}
        label={DASHBOARD.copy}
        copiedLabel={DASHBOARD.copied}
        shownFor={COPIED_MS}
        variant="quiet"
        aria-describedby={valueId}
        className="min-w-16 shrink-0"
      />
    </span>
  )
}

/** Only a post's own address becomes a link; whatever else was submitted is shown as the text it is. */
function PostCell({ link, describedBy }: { link: string | undefined; describedBy: string }) {
  if (!link) return DASHBOARD.none
  const href = postLink(link)
  if (!href) return <span className="break-all">{link}</span>
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-describedby={describedBy}
      className="inline-flex min-h-11 items-center text-link whitespace-nowrap lg:min-h-8"
    >
      {DASHBOARD.viewRetweet}
    </a>
  )
}

const STACKED = 'max-lg:grid max-lg:grid-cols-[2.5rem_minmax(0,1fr)] max-lg:gap-y-1 max-lg:py-4'
const LABELLED =
  'max-lg:col-start-2 max-lg:grid max-lg:grid-cols-[6rem_minmax(0,1fr)] max-lg:items-center max-lg:p-0 ' +
  'max-lg:before:text-ink-soft max-lg:before:content-[attr(data-label)]'
