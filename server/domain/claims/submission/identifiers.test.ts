import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { MAX_EDITS } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { CHECK_JOB } from '#server/domain/evidence/start-checks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { errorMessages } from '#server/messages/errors.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { rejectKeepingSlots } from '#server/testing/builders/slots.ts'
import { meetAtLock, ROUNDS, tally, twoNodes } from '#server/testing/database/races.ts'
import { appeal } from '../appeal.ts'
import { readOwnClaim } from '../own-claim.ts'
import { editClaim } from './edit-claim.ts'
import { BATCH_SIZE, purgeIdentifiers } from './purge-identifiers.ts'
import { submitProof } from './submit-proof.ts'

const REVISION_AFTER_EDIT = '2'
/** Wallet, two handles and post. */
const IDENTIFIERS_OF_PROOF = 4

/** Ann has edited her claim, from the proof `former` to `current`. Ben has no claim. */
async function setUp(t: TestContext) {
  const [deps, otherNode] = await twoNodes(t)
  const { db, campaign } = deps
  const [ann, ben] = await createUsers(db, campaign.id, 2)
  const [adm] = await createUsers(db, campaign.id, 1, { role: 'admin' })
  const [former, current] = [freshProof(), freshProof()]
  const { _id: id } = await submitProof(deps, ann.id, former)
  const edit = (proof: Proof) => editClaim(deps, { userId: ann.id, claimId: id, proof })
  await edit(current)
  /** @returns `done`, or the code of the refusal. */
  const submitAsBen = (proof: Proof) =>
    submitProof(deps, ben.id, proof).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  /** Asserts that Ben can use no part of a proof, however he writes it. */
  const assertReserved = async (proof: Proof, message?: string) => {
    const own = freshProof()
    const [handle, ownHandle] = [proof.twitter.slice(1), own.twitter.slice(1)]
    for (const [taken, code] of [
      [{ wallet: proof.wallet.toUpperCase().replace('0X', '0x') }, 'wallet_taken'],
      [{ telegram: proof.telegram.toUpperCase() }, 'handle_taken'],
      [{ twitter: handle.toUpperCase(), retweetLink: `https://x.com/${handle}/status/12` }, 'handle_taken'],
      [{ retweetLink: proof.retweetLink.replace(handle, ownHandle) }, 'post_taken'],
    ] as const)
      assert.equal(await submitAsBen({ ...own, ...taken }), code, message)
  }
  /** Makes the appeal period of Ann's claim end this many minutes ago. A negative number is in the future. */
  const endAppealPeriod = (minutesAgo: number) => {
    // One can appeal as long as the slot is kept.
    const decidedAt = sql<Date>`now() - make_interval(hours => ${SLOT_HOURS}, mins => ${minutesAgo})`
    return db.updateTable('claims').set({ decided_at: decidedAt }).where('id', '=', id).execute()
  }
  const reviewer = reviewerOn(deps, adm)
  const reject = () => rejectKeepingSlots(deps, [id])
  const actions = { reviewer, edit, reject, submitAsBen, assertReserved, endAppealPeriod }
  return { deps, otherNode, db, ann, ben, id, former, current, ...actions }
}

test('reserves the identifiers of earlier revisions for the participant while the claim is undecided', async (t) => {
  const { former, current, assertReserved, edit } = await setUp(t)
  await assertReserved(former)
  await assertReserved(current)
  await edit(former)
  await assertReserved(current)
})

test('limits edits, and so what a claim reserves, without counting unchanged and invalid proofs', async (t) => {
  const { deps, db, ann, current, edit } = await setUp(t)
  const isEditable = async () => (await readOwnClaim(deps, ann.id)).claim?.isEditable
  const assertNoEdit = async (saved: Proof) => {
    await edit(saved)
    await assert.rejects(edit({ ...saved, wallet: '0x' }), { code: 'invalid_input' })
  }
  await assertNoEdit(current)
  let last = current // the first edit, in `setUp`
  for (let edits = 1; edits < MAX_EDITS; edits += 1) {
    last = freshProof()
    assert.equal(await isEditable(), true)
    await edit(last)
  }
  const checks = db.selectFrom('jobs').select('id').where('kind', '=', CHECK_JOB)
  const before = await checks.execute()
  // Edits count no matter how long ago they were.
  await sql`update claim_events set at = at - interval '30 days'`.execute(db)
  await assert.rejects(edit(freshProof()), { code: 'edits_over' })
  assert.equal(await isEditable(), false)
  await assertNoEdit(last)
  assert.deepEqual(await checks.execute(), before, 'no checks were started')
  const reserved = await db.selectFrom('claim_identifiers').select('value').execute()
  assert.equal(reserved.length, IDENTIFIERS_OF_PROOF * (1 + MAX_EDITS))
  assert.match(errorMessages.messages.edits_over, new RegExp(`${MAX_EDITS} times`))
})

for (const decision of ['approve', 'reject'] as const)
  test(`keeps identifiers reserved for the appeal period after the decision (${decision})`, async (t) => {
    const { reviewer, id, former, current, reject, submitAsBen, assertReserved, endAppealPeriod } =
      await setUp(t)
    await (decision === 'approve' ? reviewer.approve(id, REVISION_AFTER_EDIT) : reject())
    await assertReserved(former)
    await assertReserved(current)
    await endAppealPeriod(-1)
    await assertReserved(former)
    await endAppealPeriod(1)
    if (decision === 'approve') await assertReserved(current, "an approved claim's identifiers stay")
    assert.equal(await submitAsBen(former), 'done')
  })

test('an open appeal keeps identifiers reserved until it is answered', async (t) => {
  const { deps, ann, id, former, reviewer, reject, submitAsBen, assertReserved, endAppealPeriod } =
    await setUp(t)
  await reject()
  await appeal(deps, { userId: ann.id, claimId: id, text: 'Please look again.' })
  await endAppealPeriod(1)
  await purgeIdentifiers(deps.db)
  await assertReserved(former)
  await reviewer.reject(id, { revision: REVISION_AFTER_EDIT })
  await endAppealPeriod(1)
  assert.equal(await submitAsBen(former), 'done')
})

test('refuses an undo once another claim has used the wallet, even if that claim has a new wallet now', async (t) => {
  const { deps, reviewer, ben, id, current, reject, endAppealPeriod, db } = await setUp(t)
  await reject()
  await endAppealPeriod(1)
  const { _id: bensClaim } = await submitProof(deps, ben.id, { ...freshProof(), wallet: current.wallet })
  await editClaim(deps, { userId: ben.id, claimId: bensClaim, proof: freshProof() })
  await assert.rejects(reviewer.undo(id), { code: 'wallet_taken' })
  const claim = await db.selectFrom('claims').select('status').where('id', '=', id).executeTakeFirst()
  assert.equal(claim?.status, 'rejected')
})

test('purges the identifiers that no claim reserves, even of more claims than one statement handles', async (t) => {
  const { ben, deps, reject, endAppealPeriod, db } = await setUp(t)
  const countIdentifiers = async () =>
    (await db.selectFrom('claim_identifiers').select('value').execute()).length
  // Rejected so long ago that none can be appealed.
  await sql`
    insert into claims (id, campaign_id, user_id, attempt, status, slot, wallet, telegram, twitter, post_id, retweet_link,
      reason_code, decided_at)
    select gen_random_uuid(), ${deps.campaign.id}, ${ben.id}, n, 'rejected', 1, n, n, n, n, 'https://x.com/' || n,
      'other', now() - interval '9 days'
    from generate_series(1, ${2 * BATCH_SIZE + 1}) n`.execute(db)
  await sql`
    insert into claim_identifiers
    select campaign_id, 'wallet', wallet, id from claims where user_id = ${ben.id}`.execute(db)

  const ofBothRevisions = 2 * IDENTIFIERS_OF_PROOF
  await purgeIdentifiers(db)
  assert.equal(await countIdentifiers(), ofBothRevisions, 'those of an undecided claim stay')
  await reject()
  await purgeIdentifiers(db)
  assert.equal(await countIdentifiers(), ofBothRevisions, 'those of a claim that can be appealed stay')
  await endAppealPeriod(1)
  await purgeIdentifiers(db)
  assert.equal(await countIdentifiers(), 0)
})

test('race: an edit keeps the former wallet reserved, and only one of two participants gets the new wallet', async (t) => {
  const { deps, otherNode } = await setUp(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [editor, claimant] = await createUsers(deps.db, deps.campaign.id, 2)
    const [former, next] = [freshProof(), freshProof()]
    const { _id: claimId } = await submitProof(deps, editor.id, former)
    const wantsFormer = round % 2 === 1
    const { wallet } = wantsFormer ? former : next
    const outcomes = await Promise.all([
      tally([editClaim(deps, { userId: editor.id, claimId, proof: next })]),
      tally([submitProof(otherNode, claimant.id, { ...freshProof(), wallet })]),
    ])
    const [edited, claimed] = outcomes.map((counts) => Object.keys(counts).join())
    const allowed = [
      'edit: done, claim: wallet_taken',
      ...(wantsFormer ? [] : ['edit: wallet_taken, claim: done']),
    ]
    const outcome = `edit: ${edited}, claim: ${claimed}`
    assert.ok(allowed.includes(outcome), `round ${round}: ${outcome}`)
  }
})

test('a claim that waits while a purge removes its identifier still reserves it', async (t) => {
  const { db, id, former, reject, submitAsBen, endAppealPeriod } = await setUp(t)
  await reject()
  await endAppealPeriod(1)
  const wallet = former.wallet.toLowerCase()
  const lock = (tx: Tx) => sql`select from claim_identifiers where value = ${wallet} for update`.execute(tx)
  const submit = () => submitAsBen({ ...freshProof(), wallet })
  // Locks, lets `submit` wait, purges, and unlocks.
  const [submitting] = await meetAtLock(db, lock, [submit], purgeIdentifiers)
  assert.equal(await submitting, 'done')
  const reserved = db.selectFrom('claim_identifiers').select('value').where('value', '=', wallet)
  assert.deepEqual(await reserved.where('claim_id', '!=', id).execute(), [{ value: wallet }])
})
