import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { assertInvariants, outcomesBesides, setUpRace } from '#server/testing/builders/decision-races.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertBansHold, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { meetAtLock, ROUNDS, tally, untilWaiting } from '#server/testing/database/races.ts'
import { submitProof } from '../../claims/submission/submit-proof.ts'
import { fillBoard } from '../../ledger/board.ts'
import { disconnectTelegram } from '../../telegram/account.ts'
import { lockAccount, lockOwnAccount } from '../lock-account.ts'
import { changeRole } from '../roles/change-role.ts'
import { ban, liftBan } from './ban.ts'

const banPerson = (deps: Deps, person: { id: string }, by: TestUser, revokesApproval = false) =>
  ban(deps, { userId: person.id, reason: 'A test.', revokesApproval, by: { userId: by.id } })

async function assertConsistent(deps: Deps): Promise<void> {
  await assertBansHold(deps.db)
  await assertInvariants(deps)
}

// `here` and `there` are two nodes that share a database.

test('race: a claim and a ban leave no live claim of a banned participant', async (t) => {
  const { here, there, adm } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [person] = await createUsers(here.db, here.campaign.id, 1)
    const claims = [submitProof(here, person.id, freshProof()), submitProof(there, person.id, freshProof())]
    const calls =
      round % 2 ? [...claims, banPerson(there, person, adm)] : [banPerson(here, person, adm), ...claims]
    const counts = await tally(calls)
    assert.ok((counts['done'] ?? 0) >= 1, `round ${round}: at least the ban is done`)
    const unexpected = outcomesBesides(counts, 'done', 'account_banned', 'already_claimed')
    assert.deepEqual(unexpected, [], `round ${round}`)
  }
  await assertConsistent(here)
})

test('race: a ban succeeds while a first claim is submitted and the Telegram account is disconnected', async (t) => {
  const { here, there, adm } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [person] = await createUsers(here.db, here.campaign.id, 1)
    const { banning, disconnecting } = await here.db.transaction().execute(async (tx) => {
      await lockOwnAccount(tx, person.id)
      const banned = await here.db.transaction().execute(async (claiming) => {
        await submitProof({ ...here, db: claiming }, person.id, freshProof())
        // The ban finds no claim, and waits for the lock on the campaign.
        const started = tally([banPerson(there, person, adm)])
        await untilWaiting(here.db, 1)
        return { started } // An object, because a promise would be awaited before the commit.
      })
      const disconnection = tally([disconnectTelegram(here, { userId: person.id, network: '192.0.2.1' })])
      await untilWaiting(here.db, 2)
      return { banning: banned.started, disconnecting: disconnection }
    })
    assert.deepEqual([await banning, await disconnecting], [{ done: 1 }, { done: 1 }], `round ${round}`)
  }
  await assertConsistent(here)
})

test('race: a claim can be rejected while a reviewer with an expired lock on it loses the role', async (t) => {
  const { here, there, adm, reviewers, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [former] = await createUsers(here.db, here.campaign.id, 1, { role: 'admin' })
    const { id } = await claim()
    await reviewerOn(here, former).lock(id)
    await sql`update review_locks set until = now()`.execute(here.db)
    const calls = [
      () => changeRole(there, { userId: former.id, role: 'user', by: { userId: adm.id } }),
      // The slot is not kept after a rejection for this reason, so this locks the campaign, too.
      () => reviewers[0].reject(id, { reason: 'same_person' }),
    ]
    // By the time the change of role waits for this lock, it has locked the campaign.
    const running = await meetAtLock<unknown>(here.db, (tx) => lockOwnAccount(tx, former.id), calls)
    assert.deepEqual(await tally(running), { done: 2 }, `round ${round}`)
  }
  await assertConsistent(here)
})

test('race: decisions, a ban and its lifting leave claims, points and slots consistent', async (t) => {
  const { here, there, adm, boss, reviewers, claim } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { person, id } = await claim()
    const counts = await tally([
      reviewers[0].approve(id),
      banPerson(there, person, boss, round % 3 === 0),
      reviewers[1].reject(id),
      reviewers[1].undo(id),
      liftBan(here, { userId: person.id, by: { userId: adm.id } }),
    ])
    const decided = ['claim_rejected', 'claim_approved', 'nothing_to_undo']
    const unexpected = outcomesBesides(counts, 'done', ...decided, 'participant_banned', 'not_banned')
    assert.deepEqual(unexpected, [], `round ${round}`)
  }
  await assertConsistent(here)
})

test('a leaderboard that is filled during a ban does not list the banned participant', async (t) => {
  const { here, there } = await setUpRace(t)
  const [person] = await createUsers(here.db, here.campaign.id, 1)
  await sql`delete from standings where user_id = ${person.id}`.execute(here.db)
  const filling = await here.db.transaction().execute(async (tx) => {
    await lockAccount(tx, person.id)
    await sql`update users set banned_at = now() where id = ${person.id}`.execute(tx)
    const started = fillBoard(there.db, there.campaign.id)
    await untilWaiting(here.db, 1)
    return { started }
  })
  await filling.started
  // Unlike a real ban, the one above ended no session.
  await sql`delete from sessions where user_id = ${person.id}`.execute(here.db)
  await assertConsistent(here)
})

test('race: of two administrators who remove each other, one remains', async (t) => {
  const { here, there } = await setUpRace(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    await sql`update users set role = 'user' where role = 'admin'`.execute(here.db)
    const [adm, boss] = await createUsers(here.db, here.campaign.id, 2, { role: 'admin' })
    const counts = await tally([
      round % 2
        ? banPerson(here, boss, adm)
        : changeRole(here, { userId: boss.id, role: 'user', by: { userId: adm.id } }),
      banPerson(there, adm, boss),
    ])
    assert.deepEqual(counts, { done: 1, forbidden: 1 }, `round ${round}`)
  }
})
