import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { type GrantedPoints, grantedPoints } from '#contract/claims/granted-points.ts'
import type { Database } from '#server/platform/database/database.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { assertBansHold, assertSlotInvariants } from '#server/testing/builders/reviewer.ts'
import { assertLedgerJournaled } from '#server/testing/journal.ts'
import type { Acknowledged, World } from './world.ts'

/**
 * Asserts all invariants of the data, and that every acknowledged change was persisted. No calls may be
 * running, and no work may be due.
 */
export async function assertInvariants(
  { db, acknowledged }: Pick<World, 'db' | 'acknowledged'>,
  campaign: CampaignFile,
): Promise<void> {
  await assertLedgerInvariants({ db, campaign })
  await assertSlotInvariants({ db, campaign })
  await assertLedgerJournaled(db)
  await assertBansHold(db)
  await assertCreditsFitDecisions(db, grantedPoints(campaign.airdrop))
  await assertDecisionsJournaled(db)
  await assertRewardsCapped(db, campaign.airdrop.referralsPaid)
  await assertClaimsUnique(db)
  await assertFreezesFit(db, grantedPoints(campaign.airdrop))
  await assertPersisted(db, acknowledged)
}

/** The ledger has both credits of an approved claim (`pf`, `pls`) once. Those of any other add up to zero. */
async function assertCreditsFitDecisions(
  db: Database,
  { pfPoints, plsPoints }: GrantedPoints,
): Promise<void> {
  const { rows } = await sql`
    select c.id, c.status, sums.pf, sums.pls from claims c
    left join lateral (
      select coalesce(sum(amount) filter (where kind = 'pf'), 0)::int8 as pf,
        coalesce(sum(amount) filter (where kind = 'pls'), 0)::int8 as pls
      from ledger where claim_id = c.id) sums on true
    cross join lateral (select case when c.status = 'approved' then 1 else 0 end as times) due
    where (sums.pf, sums.pls) <> (due.times * ${pfPoints}::int8, due.times * ${plsPoints}::int8)`.execute(db)
  assert.deepEqual(rows, [], 'claims whose credits do not match their decision')
}

/** The journal has each decision as often as `claim_events`, where an upheld rejection is a `rejected`. */
async function assertDecisionsJournaled(db: Database): Promise<void> {
  const { rows } = await sql`
    select coalesce(e.claim_id, j.subject) as claim, coalesce(e.action, j.action) as action, e.times, j.times as journaled
    from (select claim_id, 'claim.' || what as action, count(*) as times from claim_events
        where what in ('approved', 'rejected', 'reopened') group by 1, 2) e
    full join (select subject, replace(action, 'rejection_upheld', 'rejected') as action, count(*) as times
        from journal where action in ('claim.approved', 'claim.rejected', 'claim.rejection_upheld', 'claim.reopened')
        group by 1, 2) j
      on j.subject = e.claim_id and j.action = e.action
    where e.times is distinct from j.times`.execute(db)
  assert.deepEqual(rows, [], 'decisions that do not match the journal')
}

/** Counts a reward as 1 and its reversal, a negative amount, as -1. */
async function assertRewardsCapped(db: Database, cap: number): Promise<void> {
  const { rows } = await sql`
    select user_id, sum(sign(amount)) as paid from ledger where kind = 'referral'
    group by user_id having sum(sign(amount)) > ${cap} or sum(sign(amount)) < 0`.execute(db)
  assert.deepEqual(rows, [], 'participants with more referral rewards than the campaign allows')
}

async function assertClaimsUnique(db: Database): Promise<void> {
  for (const key of ['user_id', 'lower(wallet)', 'lower(twitter)', 'lower(telegram)', 'post_id']) {
    const { rows } = await sql`
      select ${sql.raw(key)} as value from claims where status <> 'rejected'
      group by campaign_id, ${sql.raw(key)} having count(*) > 1`.execute(db)
    assert.deepEqual(rows, [], `live claims that share ${key}`)
  }
}

/**
 * A freeze fixes what each wallet (a row) gets for the points of its participants (the shares), and has the
 * sums of its rows. A share has all points of an approval, or no claim and no points.
 */
async function assertFreezesFit(db: Database, { pfPoints, plsPoints }: GrantedPoints): Promise<void> {
  const { rows: shares } = await sql`
    select * from payout_shares
    where (pf_points, pls_points) <> (${pfPoints}::int8, ${plsPoints}::int8)
      and (claim_id is not null or pf_points + pls_points > 0)`.execute(db)
  assert.deepEqual(shares, [], 'shares in a freeze with a part of an approval')
  const { rows: freezes } = await sql`
    select f.id, r.freeze_id, f.recipients, r.rows, f.pf, r.pf, f.pls, r.pls from payout_freezes f
    full join (select freeze_id, count(*) as rows, sum(pf) as pf, sum(pls) as pls from payout_rows group by 1) r
      on r.freeze_id = f.id
    where (f.recipients, f.pf, f.pls) is distinct from (r.rows, r.pf, r.pls)`.execute(db)
  assert.deepEqual(freezes, [], 'freezes whose sums do not match their rows')
}

/** Every acknowledged change was persisted, and each approved claim has the wallet that its reviewer saw. */
async function assertPersisted(db: Database, acknowledged: readonly Acknowledged[]): Promise<void> {
  const events = await db.selectFrom('claim_events').select(['claim_id', 'what']).execute()
  const recorded = new Set(events.map(({ claim_id, what }) => `${claim_id} ${what}`))
  for (const { claimId, event } of acknowledged) {
    // Approvals are idempotent, so the number of events is not checked. The timeline of a corrected claim
    // begins with `corrected`.
    const isRecorded = recorded.has(`${claimId} ${event}`)
    const isCorrection = event === 'received' && recorded.has(`${claimId} corrected`)
    assert.ok(isRecorded || isCorrection, `acknowledged but not persisted: ${claimId} ${event}`)
  }
  const approved = acknowledged.filter((change) => change.event === 'approved')
  const claims = await db.selectFrom('claims').select(['id', 'wallet', 'status']).execute()
  const byId = new Map(claims.map((claim) => [claim.id, claim]))
  const latest = new Map(approved.map(({ claimId, wallet }) => [claimId, wallet]))
  for (const [claimId, wallet] of latest) {
    const claim = byId.get(claimId)
    const isOfDeletedAccount = claim?.wallet === `deleted-${claimId}`
    if (claim?.status === 'approved' && !isOfDeletedAccount)
      assert.equal(claim.wallet.toLowerCase(), wallet, `wallet of ${claimId}`)
  }
}
