import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed } from '#server/testing/builders/slots.ts'
import { freezeNow, PAID, payoutCampaign, payoutDeps } from '#server/testing/builders/payouts.ts'
import { recordPayments } from '../payouts/reconcile/record-payments.ts'
import { readCampaign } from './read-campaign.ts'
import { readResults } from './read-results.ts'

test('a campaign is not paid while a wallet waits for its PF, even if PF went to a wallet that is due none', async (t) => {
  // A claim is worth 20,000 PF, so PF is due only to participants who also got a reward for an invitation.
  const minimum = { pf: '20001', pls: '0' }
  const { deps, db, approveNewClaim } = await payoutDeps(t, payoutCampaign({ minimum }))
  const inviters = [await approveNewClaim(), await approveNewClaim()]
  const invited = await approveNewClaim({ referredBy: inviters[0]?.id ?? '' })
  await approveNewClaim({ referredBy: inviters[1]?.id ?? '' })
  const live = await freezeNow(deps)
  const due = PAID.pf + BigInt(deps.campaign.airdrop.referralReward) * 10n ** 18n
  let logIndex = 0
  const [payer, transaction] = [`0x${'12'.repeat(20)}`, `0x${'ab'.repeat(32)}`]
  const pay = (wallet = '', amount = due) => {
    logIndex += 1
    const to = wallet.toLowerCase()
    const transfers = [{ transaction, logIndex, block: 1, asset: 'pf' as const, to, amount }]
    return recordPayments(db, { live, payer, transfers })
  }
  const readState = async () => ({
    paid: (await readResults(db, deps.campaign.id)).payout?.paid.pf,
    stage: (await readCampaign(closed(deps))).stage,
  })

  await pay(inviters[0]?.wallet)
  await pay(invited.wallet, 1n)
  assert.deepEqual(await readState(), { paid: { wallets: 1, of: 2 }, stage: 'paying' })
  await pay(inviters[1]?.wallet, due + 1n)
  assert.deepEqual(await readState(), { paid: { wallets: 2, of: 2 }, stage: 'paid' })
})
