import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAccount } from '#server/domain/accounts/deletion/delete-account.ts'
import { frozen, PAID, payoutDeps } from '#server/testing/builders/payouts.ts'
import { recordPayments } from './record-payments.ts'

test('a payment to an account that was deleted after the freeze is recorded, but no email is queued', async (t) => {
  const { deps, db, adm, approved } = await payoutDeps(t)
  const [deleted, kept] = [await approved(), await approved()]
  const live = await frozen(deps)
  await deleteAccount(deps, { userId: deleted.id, by: adm.id })
  const transfers = [deleted, kept].map(({ wallet }, logIndex) => ({
    transaction: `0x${'ab'.repeat(32)}`,
    logIndex,
    block: 1,
    asset: 'pf' as const,
    to: wallet.toLowerCase(),
    amount: PAID.pf,
  }))
  const payer = `0x${'12'.repeat(20)}`
  assert.equal(await recordPayments(db, { campaignId: deps.campaign.id, live, payer, transfers }), 2)
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
  const mails = jobs.map(({ payload }) => payload as { template: string; to: string })
  const paid = mails.filter(({ template }) => template === 'payout-paid')
  assert.deepEqual(
    paid.map(({ to }) => to),
    [kept.email],
  )
})
