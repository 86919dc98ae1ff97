import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { Uuid } from '#contract/protocol/parameters.ts'
import type { Database } from '#server/platform/database/database.ts'
import { escapeHtml } from '#server/platform/html.ts'
import { isFromThisMachine } from '#server/platform/http/security/loopback.ts'
import { refuse } from '#server/platform/refusal.ts'
import { type MailContext, renderForRecipient, type Templates } from './templates.ts'
import { type Mail, SIX_DIGITS } from './compose.ts'
import { ANNOUNCEMENT_JOB, MAIL_JOB, type QueuedMail } from './send-later.ts'

type Mailbox = { db: Database; templates: Templates; context: MailContext }

/** Never registered in production, and served only to this machine, because a code gives access. */
export function addMailbox(app: FastifyInstance, mailbox: Mailbox) {
  const onRequest = async (request: FastifyRequest) => {
    if (!isFromThisMachine(request)) throw refuse('not_found')
  }
  app.get('/dev/mailbox.json', { onRequest }, async (request) => {
    const query = z.safeParse(MailboxQuery, request.query)
    if (!query.success) throw refuse('invalid_input')
    return { data: await readMailbox(mailbox, { to: query.data.to }) }
  })
  app.get('/dev/mailbox', { onRequest }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(pageHtml('Mailbox', listHtml(await readMailbox(mailbox)))),
  )
  app.get<{ Params: { id: string } }>('/dev/mailbox/:id', { onRequest }, async (request, reply) => {
    const id = z.safeParse(Uuid, request.params.id)
    const [mail] = id.success ? await readMailbox(mailbox, { id: id.data }) : []
    if (!mail) throw refuse('not_found')
    return reply.type('text/html; charset=utf-8').send(pageHtml(mail.subject, mailHtml(mail)))
  })
  app.get('/dev/mailbox.css', { onRequest }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(STYLE),
  )
}

/** PostgreSQL refuses NUL in texts. */
const MailboxQuery = z.object({ to: z.optional(z.string().check(z.regex(/^[^\0]*$/))) })

const codeIn = ({ text }: Mail) => text.match(SIX_DIGITS)?.[0]

function listHtml(mails: readonly ReceivedMail[]): string {
  if (mails.length === 0) return '<p>No emails yet. Register, and the code will be here.</p>'
  const rows = mails.map(
    (mail) => `<li><a href="/dev/mailbox/${mail.id}">
      <span class="code">${codeIn(mail) ?? ''}</span>
      <strong>${escapeHtml(mail.subject)}</strong>
      <span>${escapeHtml(mail.to)}</span><time>${mail.sentAt}</time></a></li>`,
  )
  return `<ol>${rows.join('\n')}</ol>`
}

function mailHtml(mail: ReceivedMail): string {
  const code = codeIn(mail)
  return `<p><a href="/dev/mailbox">All emails</a></p>
    <p>To ${escapeHtml(mail.to)}, <time>${mail.sentAt}</time></p>
    ${code ? `<p class="large code">${code}</p>` : ''}
    <pre>${escapeHtml(mail.text)}</pre>`
}

function pageHtml(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<link rel="stylesheet" href="/dev/mailbox.css"></head>
<body><main><h1>${escapeHtml(title)}</h1><p class="note">Development mailbox: nothing leaves this machine.</p>
${body}</main></body></html>`
}

const STYLE = `:root{color-scheme:light dark}body{margin:0;background:#fbf6ec;color:#16130f;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:720px;margin:0 auto;padding:32px 16px}ol{list-style:none;padding:0}li{border-block-start:1px solid #16130f22}
li a{display:grid;grid-template-columns:minmax(0,1fr);gap:2px;padding:12px 0;color:inherit;text-decoration:none}li a:hover strong{text-decoration:underline}
time,.note{opacity:.75;font-size:14px}.code{font:700 20px/1.2 ui-monospace,monospace;letter-spacing:.12em}
.large{font-size:48px;margin:16px 0}pre{white-space:pre-wrap;font:15px/1.6 ui-monospace,monospace;padding:16px;border:1px solid #16130f33}
@media(prefers-color-scheme:dark){body{background:#12131c;color:#f4eee1}li{border-color:#f4eee133}pre{border-color:#f4eee133}}`

type ReceivedMail = Mail & { id: string; to: string; sentAt: string }

const MAX_MAILS = 100

/** Renders the emails when they are read, because the database stores no codes. */
async function readMailbox(
  { db, templates, context }: Mailbox,
  { to, id }: { to?: string | undefined; id?: string | undefined } = {},
): Promise<ReceivedMail[]> {
  const jobs = await db
    .selectFrom('jobs')
    .leftJoin('announcements as a', (join) =>
      join.on(sql<boolean>`a.id = (payload -> 'values' ->> 'announcement')::uuid`),
    )
    .select(['jobs.id', 'payload', 'done_at', 'a.subject', 'a.body'])
    .where('kind', 'in', [MAIL_JOB, ANNOUNCEMENT_JOB])
    .where('done_at', 'is not', null)
    .$if(to !== undefined, (query) => query.where(sql`lower(payload->>'to')`, '=', to?.toLowerCase()))
    .$if(id !== undefined, (query) => query.where('jobs.id', '=', id ?? ''))
    .orderBy('done_at', 'desc')
    .orderBy('jobs.id', 'desc')
    .limit(MAX_MAILS)
    .execute()
  const mails = jobs.map(async ({ id: jobId, payload, done_at, subject, body: text }) => {
    const stored = payload as unknown as QueuedMail
    // The job of an email about an announcement has only the announcement's id.
    const content = text === null ? {} : { subject: subject ?? '', text }
    const queued = { ...stored, values: { ...stored.values, ...content } }
    return {
      id: jobId,
      to: queued.to,
      sentAt: done_at?.toISOString() ?? '',
      ...(await renderForRecipient(db, queued, templates, context)),
    }
  })
  return Promise.all(mails)
}
