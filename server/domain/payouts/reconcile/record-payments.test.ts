import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { deleteAccount } from '#server/domain/accounts/deletion/delete-account.ts'
import { render } from '#server/domain/mail/templates.ts'
import { freezeNow, PAID, payoutDeps, readPaidMails } from '#server/testing/builders/payouts.ts'
import type { LiveFreeze } from '../live-freeze.ts'
import { payoutMails } from '../mail.ts'
import { recordPayments } from './record-payments.ts'

/** One transaction that pays each person the full amount. */
const paymentsTo = (people: readonly { wallet: string }[], live: LiveFreeze) => ({
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

test('a payment to an account that was deleted after the freeze is recorded, but no email is queued', async (t) => {
  const { deps, db, adm, approveNewClaim } = await payoutDeps(t)
  const [deleted, kept] = [await approveNewClaim(), await approveNewClaim()]
  const live = await freezeNow(deps)
  await deleteAccount(deps, { userId: deleted.id, by: adm.id })
  assert.equal(await recordPayments(db, paymentsTo([deleted, kept], live)), 2)
  const recipients = (await readPaidMails(db)).map(({ to }) => to)
  assert.deepEqual(recipients, [kept.email])
})

test('the email about a payment has the current name of its campaign', async (t) => {
  const { deps, db, approveNewClaim } = await payoutDeps(t)
  const person = await approveNewClaim()
  await recordPayments(db, paymentsTo([person], await freezeNow(deps)))
  const [mail] = await readPaidMails(db)
  assert.ok(mail)
  const subjectIn = (campaign: CampaignFile) =>
    render(mail, payoutMails, { campaign, publicUrl: 'https://site.example', keys: deps.keys }).subject
  const successor = { ...deps.campaign, id: 'summer', name: 'Summer' }
  assert.match(subjectIn(successor), new RegExp(deps.campaign.name))
  assert.match(subjectIn({ ...deps.campaign, name: 'Its new name' }), /Its new name/)
})
