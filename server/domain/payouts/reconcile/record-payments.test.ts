import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Deps } from '#server/deps.ts'
import { deleteAccount } from '#server/domain/accounts/deletion/delete-account.ts'
import type { QueuedMail } from '#server/domain/mail/send-later.ts'
import type { Database } from '#server/platform/database/database.ts'
import { frozen, PAID, payoutDeps } from '#server/testing/builders/payouts.ts'
import { render } from '#server/domain/mail/templates.ts'
import type { LiveFreeze } from '../live-freeze.ts'
import { payoutMails } from '../mail.ts'
import { recordPayments } from './record-payments.ts'

test('a payment to an account that was deleted after the freeze is recorded, but no email is queued', async (t) => {
  const { deps, db, adm, approved } = await payoutDeps(t)
  const [deleted, kept] = [await approved(), await approved()]
  const live = await frozen(deps)
  await deleteAccount(deps, { userId: deleted.id, by: adm.id })
  assert.equal(await recordPayments(db, paymentsTo([deleted, kept], deps, live)), 2)
  const paid = await paidMails(db)
  assert.deepEqual(
    paid.map(({ to }) => to),
    [kept.email],
  )
})

/** Payments of the full amount to each of them, in one transaction. */
const paymentsTo = (people: readonly { wallet: string }[], { campaign }: Deps, live: LiveFreeze) => ({
  campaignId: campaign.id,
  live,
  payer: `0x${'12'.repeat(20)}`,
  transfers: people.map(({ wallet }, logIndex) => ({
    transaction: `0x${'ab'.repeat(32)}`,
    logIndex,
    block: 1,
    asset: 'pf' as const,
    to: wallet.toLowerCase(),
    amount: PAID.pf,
  })),
})

async function paidMails(db: Database): Promise<QueuedMail[]> {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
  const mails = jobs.map(({ payload }) => payload as QueuedMail)
  return mails.filter(({ template }) => template === 'payout-paid')
}

test('the email about a payment names the campaign that is paid, by its present name, even when another campaign is the current one', async (t) => {
  const { deps, db, approved } = await payoutDeps(t)
  const person = await approved()
  await recordPayments(db, paymentsTo([person], deps, await frozen(deps)))
  const [mail] = await paidMails(db)
  assert.ok(mail)
  const subjectIn = (campaign: CampaignFile) =>
    render(mail, payoutMails, { campaign, publicUrl: 'https://site.example', keys: deps.keys }).subject
  assert.match(subjectIn({ ...deps.campaign, id: 'summer', name: 'Summer' }), new RegExp(deps.campaign.name))
  assert.match(subjectIn({ ...deps.campaign, name: 'Its new name' }), /Its new name/)
})
