import type { TestContext } from 'node:test'
import * as contract from '#contract/dashboard/announcements.ts'
import { deliverAnnouncement } from '#server/domain/announcements/deliver-announcement.ts'
import { queueAnnouncement } from '#server/domain/announcements/queue-announcement.ts'
import { deliver } from '#server/domain/mail/deliver.ts'
import { ANNOUNCEMENT_JOB, MAIL_JOB } from '#server/domain/mail/send-later.ts'
import type { Transport } from '#server/domain/mail/transport.ts'
import { runDue, type Worker } from '#server/platform/jobs/jobs.ts'
import { testApi } from '../api.ts'
import { createAdmin, createUsers } from './create-users.ts'
import type { Letter } from '../fakes/smtp.ts'
import { smtpDelivery } from './mail-delivery.ts'

export const TEXT = 'Slots open again.\nOn Monday.\n\nSee https://site.example/airdrop, and tell others.'

/** The API with an administrator, participants who want announcements, and a real SMTP server. */
export async function announcementSetup(t: TestContext, participants: number) {
  const api = await testApi(t)
  const { deps, db, pool, call } = api
  const { smtp, transport, delivery } = await smtpDelivery(t, deps)
  const recipients = await createUsers(db, deps.campaign.id, participants)
  await pool.query('update users set announcements_at = now()')
  const { token, email } = await createAdmin(api)
  const write = async (subject = 'News', text = TEXT): Promise<contract.Announcement> => {
    const { body } = await call(contract.createAnnouncement, { token, body: { subject, text } })
    return body.data as contract.Announcement
  }
  const readAnnouncement = async (id: string) => {
    const { body } = await call(contract.listAnnouncements, { token })
    const found = (body.data as contract.Announcement[]).find((announcement) => announcement.id === id)
    if (!found) throw new Error(`There is no announcement ${id}.`)
    return found
  }
  /** Moves the last batch of each announcement into the past. */
  const passSeconds = (seconds: number) =>
    pool.query(`update announcements set queued_at = queued_at - make_interval(secs => $1)`, [seconds])
  /** Queues what the rate allows a minute later. Ends an announcement if no email is left. */
  const queueNext = async () => {
    await passSeconds(60)
    await queueAnnouncement(deps)
  }
  /** Hands over what is queued. @returns the number of attempts. */
  const send = (through: Transport = transport) => {
    const worker: Worker = (job, signal) =>
      deliverAnnouncement({ ...delivery, transport: through }, job, signal)
    return runDue(db, ANNOUNCEMENT_JOB, worker, { atOnce: 1 })
  }
  return {
    ...api,
    smtp,
    token,
    email,
    recipients,
    write,
    readAnnouncement,
    start: (id: string, perMinute = 600) =>
      call(contract.sendAnnouncement, { token, params: { id }, body: { perMinute } }),
    stop: (id: string) => call(contract.stopAnnouncement, { token, params: { id } }),
    queue: () => queueAnnouncement(deps),
    queueNext,
    send,
    /** Queues and sends three batches, a minute apart. Ends the announcement if no email is left. */
    sendBatches: async () => {
      for (let batch = 1; batch <= 3; batch += 1) {
        await queueNext()
        await send()
      }
      await queueNext()
    },
    /** Hands over queued emails other than announcements. @returns the number of attempts. */
    sendOtherMail: () => runDue(db, MAIL_JOB, (job) => deliver(delivery, job)),
    passSeconds,
    /** How many emails of announcements wait to be handed over. */
    queued: async () => {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*) from jobs where kind = 'announcement' and done_at is null and dead_at is null`,
      )
      return rows[0]?.count ?? 0
    },
    countRecipients: async () => (await pool.query('select from announcement_recipients')).rowCount,
  }
}

/** A header of a letter, unfolded. */
export const headerOf = ({ raw }: Letter, name: string): string | undefined =>
  new RegExp(`^${name}: ?(.*(?:\\r\\n[ \\t].*)*)`, 'mi').exec(raw)?.[1]?.replaceAll(/\r\n[ \t]+/g, '')
