import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ownAccount, type OwnAccount } from '#contract/accounts/own-account.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { thaw } from '#server/domain/payouts/thaw.ts'
import { claimsOn, frozen, payoutApi, payoutCampaign } from '#server/testing/builders/payouts.ts'

test('a deletion is said to forfeit the payout of an approved claim until the claim is frozen, also in an archived campaign, but not in one without rates', async (t) => {
  const { call, adm, approved, deps, db } = await payoutApi(t)
  const of = (campaign: typeof deps.campaign) => ({ ...deps, campaign })
  const { payout: _rates, ...unpaid } = { ...payoutCampaign(), id: 'winter' }
  const spring = { ...payoutCampaign(), id: 'spring' }
  for (const campaign of [spring, unpaid]) await syncCampaign(db, campaign)
  const [early, never] = [
    await claimsOn(of(spring), adm).approved(),
    await claimsOn(of(unpaid), adm).approved(),
  ]
  const current = await approved()
  await sql`update campaigns set archived_at = now() where id <> ${deps.campaign.id}`.execute(db)
  const toldTo = async ({ token }: typeof current) => {
    const { hasApprovedClaim, frozenWallet } = (await call(ownAccount, { token })).body.data as OwnAccount
    return { hasApprovedClaim, frozenWallet }
  }
  const forfeits = { hasApprovedClaim: true, frozenWallet: null }
  const nothing = { hasApprovedClaim: false, frozenWallet: null }
  assert.deepEqual(await toldTo(current), forfeits)
  assert.deepEqual(await toldTo(early), forfeits)
  assert.deepEqual(await toldTo(never), nothing)

  await frozen(deps)
  await frozen(of(spring))
  assert.deepEqual(await toldTo(current), { hasApprovedClaim: false, frozenWallet: current.wallet })
  assert.deepEqual(await toldTo(early), nothing)

  await thaw(of(spring), { actor: null, reason: 'The rates were wrong.' })
  assert.deepEqual(await toldTo(early), forfeits)
})
