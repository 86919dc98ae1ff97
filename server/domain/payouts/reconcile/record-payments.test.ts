import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { deleteAccount } from '#server/domain/accounts/deletion/delete-account.ts'
import { render } from '#server/domain/mail/templates.ts'
import { freezeNow, PAID, payoutDeps, readPaidMails } from '#server/testing/builders/payouts.ts'
import type { LiveFreeze } from '../live-freeze.ts'
import { payoutMails } from '../mail.ts'
import { recordPayments } from './record-payments.ts'

/** One transaction that pays each person of the frozen allocation the full amount. */
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

test('a payment is emailed under its campaign’s current name, but not to an account deleted since the freeze', async (t) => {
  const { deps, db, adm, approveNewClaim } = await payoutDeps(t)
  const [deleted, kept] = [await approveNewClaim(), await approveNewClaim()]
  const live = await freezeNow(deps)
  await deleteAccount(deps, { userId: deleted.id, by: adm.id })
  assert.equal(await recordPayments(db, paymentsTo([deleted, kept], live)), 2, 'both are recorded')
  const [mail, ...others] = await readPaidMails(db)
  assert.deepEqual(others, [])
  assert.equal(mail?.to, kept.email)
  const subjectIn = (campaign: CampaignFile) =>
    render(mail, payoutMails, { campaign, publicUrl: 'https://site.example', keys: deps.keys }).subject
  // The email belongs to the campaign that pays, even if the next one runs when it is sent.
  const successor = { ...deps.campaign, id: 'summer', name: 'Summer' }
  assert.match(subjectIn(successor), new RegExp(deps.campaign.name))
  assert.match(subjectIn({ ...deps.campaign, name: 'Its new name' }), /Its new name/)
})
