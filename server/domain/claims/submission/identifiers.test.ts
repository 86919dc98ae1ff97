import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { ROUNDS, tally, twoNodes, untilWaiting } from '#server/testing/races.ts'
import { appeal } from '../appeal.ts'
import { editClaim } from './edit-claim.ts'
import { purgeIdentifiers } from './purge-identifiers.ts'
import { submitProof } from './submit-proof.ts'

/** Ann has edited her claim; Ben has no claim. */
async function setUp(t: TestContext) {
  const [deps, other] = await twoNodes(t)
  const { db, campaign } = deps
  const [ann, ben] = await createUsers(db, campaign.id, 2)
  const [adm] = await createUsers(db, campaign.id, 1, { role: 'admin' })
  const [former, current] = [freshProof(), freshProof()]
  const { _id: id } = await submitProof(deps, ann.id, former)
  const edit = (typed: typeof former) => editClaim(deps, { userId: ann.id, claimId: id, typed })
  await edit(current)
  /** The refusal of Ben's claim with each identifier of a proof. */
  const refusals = async (proof: typeof former) => {
    const codes = []
    const ownPost = `https://x.com/${proof.twitter.slice(1)}/status/12`
    for (const given of [
      { wallet: proof.wallet.toUpperCase().replace('0X', '0x') },
      { telegram: proof.telegram.toUpperCase() },
      { twitter: proof.twitter, retweetLink: ownPost },
    ])
      codes.push(await claims({ ...freshProof(), ...given }))
    const mine = freshProof()
    const retweetLink = proof.retweetLink.replace(proof.twitter.slice(1), mine.twitter.slice(1))
    return [...codes, await claims({ ...mine, retweetLink })]
  }
  const claims = (proof: typeof former) =>
    submitProof(deps, ben.id, proof).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  const ago = async (hours: number, minutes: number) =>
    sql`
      update claims set decided_at = now() - make_interval(hours => ${hours}, mins => ${minutes}) where id = ${id}`.execute(
      db,
    )
  const reviewer = reviewerOn(deps, adm)
  return { deps, other, db, ann, ben, id, reviewer, former, current, edit, refusals, claims, ago }
}

const TAKEN = ['wallet_taken', 'handle_taken', 'handle_taken', 'post_taken']

test('reserves the identifiers of earlier revisions for the participant while the claim is undecided', async (t) => {
  const { former, current, refusals, edit } = await setUp(t)
  assert.deepEqual(await refusals(former), TAKEN)
  assert.deepEqual(await refusals(current), TAKEN)
  await edit(former)
  assert.deepEqual(await refusals(current), TAKEN)
})

for (const decision of ['approve', 'reject'] as const)
  test(`keeps identifiers reserved for the appeal period after the decision (${decision})`, async (t) => {
    const { reviewer, id, former, current, refusals, ago, claims } = await setUp(t)
    await (decision === 'approve' ? reviewer.approve(id, '2') : reviewer.reject(id, '', 'post_missing', '2'))
    assert.deepEqual(await refusals(former), TAKEN)
    assert.deepEqual(await refusals(current), TAKEN)
    await ago(SLOT_HOURS, -1)
    assert.deepEqual(await refusals(former), TAKEN)
    await ago(SLOT_HOURS, 1)
    if (decision === 'approve')
      assert.deepEqual(await refusals(current), TAKEN, "an approved claim's identifiers stay")
    assert.equal(await claims(former), 'done')
  })

test('an open appeal keeps identifiers reserved until it is answered', async (t) => {
  const { deps, reviewer, ann, id, former, refusals, ago, claims } = await setUp(t)
  await reviewer.reject(id, '', 'post_missing', '2')
  await appeal(deps, { userId: ann.id, claimId: id, text: 'Please look again.' })
  await ago(SLOT_HOURS, 1)
  await purgeIdentifiers(deps.db)
  assert.deepEqual(await refusals(former), TAKEN)
  await reviewer.reject(id, 'No.', 'post_missing', '2')
  await ago(SLOT_HOURS, 1)
  assert.equal(await claims(former), 'done')
})

test('refuses an undo once another claim has used the wallet, even if it was edited to another wallet since', async (t) => {
  const { deps, reviewer, ben, id, current, ago, db } = await setUp(t)
  await reviewer.reject(id, '', 'post_missing', '2')
  await ago(SLOT_HOURS, 1)
  const { _id } = await submitProof(deps, ben.id, { ...freshProof(), wallet: current.wallet })
  await editClaim(deps, { userId: ben.id, claimId: _id, typed: freshProof() })
  await assert.rejects(reviewer.undo(id), { code: 'wallet_taken' })
  const claim = await db.selectFrom('claims').select('status').where('id', '=', id).executeTakeFirst()
  assert.equal(claim?.status, 'rejected')
})

test('purges only identifiers that no claim reserves, also of more claims than one statement handles', async (t) => {
  const { ben, deps, reviewer, id, ago, db } = await setUp(t)
  const kept = async () => (await db.selectFrom('claim_identifiers').select('value').execute()).length
  await sql`
    insert into claims (id, campaign_id, user_id, attempt, status, slot, wallet, telegram, twitter, post_id, retweet_link,
      reason_code, decided_at)
    select gen_random_uuid(), ${deps.campaign.id}, ${ben.id}, n, 'rejected', 1, n, n, n, n, 'https://x.com/' || n,
      'other', now() - interval '9 days'
    from generate_series(1, 2500) n`.execute(db)
  await sql`
    insert into claim_identifiers select campaign_id, 'wallet', wallet, id from claims where user_id = ${ben.id}`.execute(
    db,
  )
  await purgeIdentifiers(db)
  assert.equal(await kept(), 8)
  await reviewer.reject(id, '', 'post_missing', '2')
  await purgeIdentifiers(db)
  assert.equal(await kept(), 8)
  await ago(SLOT_HOURS, 1)
  await purgeIdentifiers(db)
  assert.equal(await kept(), 0)
})

test('race: another participant’s claim during an edit gets no wallet that the edit drops, and one of the two gets the new wallet', async (t) => {
  const { deps, other } = await setUp(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [one, two] = await createUsers(deps.db, deps.campaign.id, 2)
    const [first, next] = [freshProof(), freshProof()]
    const { _id } = await submitProof(deps, one.id, first)
    const shared = round % 2 ? first.wallet : next.wallet
    const [edited, claimed] = await Promise.all([
      tally([editClaim(deps, { userId: one.id, claimId: _id, typed: next })]),
      tally([submitProof(other, two.id, { ...freshProof(), wallet: shared })]),
    ])
    // The first revision's identifiers stay reserved; the new ones go to one of the two.
    const ends = [edited, claimed].map((counts) => Object.keys(counts).join()).join()
    const allowed = round % 2 ? ['done,wallet_taken'] : ['done,wallet_taken', 'wallet_taken,done']
    assert.ok(allowed.includes(ends), `round ${round}: ${ends}`)
  }
})

test('reserves an identifier that a purge removes while the claim waits for it', async (t) => {
  const { db, id, reviewer, former, claims, ago } = await setUp(t)
  await reviewer.reject(id, '', 'post_missing', '2')
  await ago(SLOT_HOURS, 1)
  const wallet = former.wallet.toLowerCase()
  const claimed = await db.transaction().execute(async (held) => {
    await sql`select from claim_identifiers where value = ${wallet} for update`.execute(held)
    const submitted = claims({ ...freshProof(), wallet })
    await untilWaiting(db, 1)
    await purgeIdentifiers(held)
    return { submitted }
  })
  assert.equal(await claimed.submitted, 'done')
  const { rows } =
    await sql`select from claim_identifiers where value = ${wallet} and claim_id <> ${id}`.execute(db)
  assert.equal(rows.length, 1)
})
