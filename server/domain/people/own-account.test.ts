import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ownAccount, type OwnAccount } from '#contract/accounts/own-account.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { thaw } from '#server/domain/payouts/thaw.ts'
import { claimsOn, freezeNow, payoutApi, payoutCampaign } from '#server/testing/builders/payouts.ts'

test('warns that a deletion forfeits approved claims in every campaign with rates and without a freeze', async (t) => {
  const { call, adm, approveNewClaim, deps, db } = await payoutApi(t)
  const spring = { ...payoutCampaign(), id: 'spring' }
  const { payout: _rates, ...withoutRates } = { ...payoutCampaign(), id: 'winter' }
  for (const campaign of [spring, withoutRates]) await syncCampaign(db, campaign)
  const inSpring = { ...deps, campaign: spring }
  const ofCurrent = await approveNewClaim()
  const ofSpring = await claimsOn(inSpring, adm).approveNewClaim()
  const ofWinter = await claimsOn({ ...deps, campaign: withoutRates }, adm).approveNewClaim()
  await sql`update campaigns set archived_at = now() where id <> ${deps.campaign.id}`.execute(db)
  const readWarning = async ({ token }: typeof ofCurrent) => {
    const { hasApprovedClaim, frozenWallet } = (await call(ownAccount, { token })).body.data as OwnAccount
    return { hasApprovedClaim, frozenWallet }
  }
  const forfeits = { hasApprovedClaim: true, frozenWallet: null }
  const forfeitsNothing = { hasApprovedClaim: false, frozenWallet: null }
  assert.deepEqual(await readWarning(ofCurrent), forfeits)
  assert.deepEqual(await readWarning(ofSpring), forfeits)
  assert.deepEqual(await readWarning(ofWinter), forfeitsNothing)

  await freezeNow(deps)
  await freezeNow(inSpring)
  assert.deepEqual(await readWarning(ofCurrent), { ...forfeitsNothing, frozenWallet: ofCurrent.wallet })
  assert.deepEqual(await readWarning(ofSpring), forfeitsNothing)

  await thaw(inSpring, { actor: null, reason: 'The rates were wrong.' })
  assert.deepEqual(await readWarning(ofSpring), forfeits)
})
