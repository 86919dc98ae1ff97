import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Check, CheckOutcome } from '#contract/evidence.ts'
import { inTransaction } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { runDue } from '../platform/jobs.ts'
import { SCORE_JOB } from '../signals/score-claim.ts'
import { submitProof } from '../claims/submit-proof.ts'
import { createUsers } from '../testing/create-users.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
import { advanceTime as letPass } from '../testing/advance-time.ts'
import { freshProof } from '../testing/proof.ts'
import { ROUNDS, twoNodes } from '../testing/races.ts'
import { checkClaim } from './check-claim.ts'
import { copyOf, couldNotTell, type Finding, type RunCheck, type Source } from './finding.ts'
import { moveLateClaimsToReview } from './late-claims.ts'
import { CHECK_JOB, startChecks } from './start-checks.ts'
import { readEvidence } from './read-evidence.ts'

type Saying = { outcome: CheckOutcome; after?: number }

/** A source that says what it is told to. */
function source(check: Check, say: () => Saying | Promise<Saying>): Source & { asked: number } {
  const made = {
    name: `source of ${check}`,
    checks: [check],
    asked: 0,
    async look() {
      made.asked += 1
      const { outcome, after } = await say()
      const finding: Finding = { check, outcome, detail: `Saw ${outcome}.`, source: made.name }
      const again = outcome === 'could_not_tell' ? { again: { after } } : {}
      return { findings: [{ ...finding, ...again, seen: copyOf('{"a":1}', 200) }] }
    },
  }
  return made
}

async function claimed(t: TestContext) {
  const { db, pool } = await testDatabase(t)
  const deps = await testDeps(db)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  assert.ok(ann)
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  return {
    deps,
    id,
    pass: (time: string) => letPass(pool, time),
    run: (...sources: Source[]) => runDue(db, CHECK_JOB, (job) => checkClaim(deps, sources, job)),
    status: async () => (await db.selectFrom('claims').select('status').executeTakeFirstOrThrow()).status,
    evidence: async () =>
      (await readEvidence(db, id)).map(({ check, outcome, tries, nextTryAt }) => ({
        check,
        outcome,
        tries,
        open: nextTryAt !== null,
      })),
  }
}

const settled = (check: Check, outcome: CheckOutcome, tries = 1) => ({ check, outcome, tries, open: false })
const unsettled = (check: Check, tries = 1) => ({ check, outcome: 'could_not_tell', tries, open: true })

test('every check has its say, then the claim is under review', async (t) => {
  const { deps, id, run, status, evidence } = await claimed(t)
  assert.equal(await status(), 'submitted')
  const post = source('post', () => ({ outcome: 'confirmed' }))
  const wallet = source('wallet', () => ({ outcome: 'contradicted' }))
  assert.equal(await run(post, wallet), 1)
  assert.equal(await status(), 'under_review')
  assert.deepEqual(await evidence(), [settled('post', 'confirmed'), settled('wallet', 'contradicted')])
  const [first] = await readEvidence(deps.db, id)
  assert.equal(first?.httpStatus, 200)
  assert.equal(first.seen, '{"a":1}')
  assert.equal(first.seenHash, '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862')
  assert.equal(await run(post, wallet), 0, 'it is done')
})

test('what could not be told is asked again with back-off, what was told is not', async (t) => {
  const { run, status, evidence, pass } = await claimed(t)
  let says: Saying = { outcome: 'could_not_tell' }
  const post = source('post', () => says)
  const wallet = source('wallet', () => ({ outcome: 'confirmed' }))
  await run(post, wallet)
  assert.equal(await status(), 'under_review', 'not telling is an outcome')
  assert.deepEqual(await evidence(), [unsettled('post'), settled('wallet', 'confirmed')])
  await pass('15 seconds')
  assert.equal(await run(post, wallet), 0)
  // Later by as much as the job may be, never earlier.
  await pass('25 seconds')
  assert.equal(await run(post, wallet), 1)
  assert.deepEqual(await evidence(), [unsettled('post', 2), settled('wallet', 'confirmed')])
  await pass('90 seconds')
  assert.equal(await run(post, wallet), 0)
  says = { outcome: 'confirmed' }
  await pass('60 seconds')
  assert.equal(await run(post, wallet), 1)
  assert.deepEqual(await evidence(), [settled('post', 'confirmed', 3), settled('wallet', 'confirmed')])
  assert.deepEqual([post.asked, wallet.asked], [3, 1])
})

test('a claim is weighed once, and again when the words of its post are known', async (t) => {
  const { deps, run, pass } = await claimed(t)
  const weighings = async () =>
    (await deps.db.selectFrom('jobs').select('id').where('kind', '=', SCORE_JOB).execute()).length
  let says: RunCheck = { findings: couldNotTell({ name: 'X', checks: ['post'] }, 'Not now.', { again: {} }) }
  const post: Source = { name: 'X', checks: ['post'], look: async () => says }
  await run(post)
  assert.equal(await weighings(), 1)
  await pass('10 minutes')
  assert.equal(await run(post), 1)
  assert.equal(await weighings(), 1)
  await pass('10 minutes')
  says = { findings: says.findings, postText: 'the words of my very own post, at last' }
  assert.equal(await run(post), 1)
  assert.equal(await weighings(), 2)
  const { words } = await deps.db.selectFrom('post_texts').select('words').executeTakeFirstOrThrow()
  assert.equal(words, 'the words of my very own post at last')
})

test('a service that names its own time gets it, an hour at most', async (t) => {
  const { run, pass } = await claimed(t)
  let after = 300
  const post = source('post', () => ({ outcome: 'could_not_tell', after }))
  await run(post)
  await pass('240 seconds')
  assert.equal(await run(post), 0)
  after = 1_000_000
  await pass('121 seconds')
  assert.equal(await run(post), 1)
  await pass('3500 seconds')
  assert.equal(await run(post), 0)
  await pass('821 seconds')
  assert.equal(await run(post), 1)
})

test('nobody asks any more a day after the claim', async (t) => {
  const { run, evidence, pass } = await claimed(t)
  const post = source('post', () => ({ outcome: 'could_not_tell' }))
  for (let hours = 0; hours < 30; hours += 1) {
    await run(post)
    await pass('75 minutes')
  }
  assert.ok(post.asked > 15 && post.asked < 30, `${post.asked} times`)
  assert.equal((await evidence())[0]?.open, false)
  assert.equal(await run(post), 0)
})

test('a decided claim keeps its decision and gets its evidence, but is not asked about again', async (t) => {
  const { deps, id, run, status, pass } = await claimed(t)
  const decide = (decision: string) =>
    deps.db
      .updateTable('claims')
      .set({
        status: decision,
        decided_at: sql`now()`,
        reason_code: decision === 'rejected' ? 'other' : null,
      })
      .execute()
  await decide('approved')
  const post = source('post', () => ({ outcome: 'could_not_tell' }))
  await run(post)
  assert.deepEqual([await status(), post.asked], ['approved', 1])
  await pass('2 hours')
  assert.equal(await run(post), 0)
  await inTransaction(deps.db, (tx) => startChecks(tx, id))
  await deps.db.updateTable('claims').set({ status: 'submitted', decided_at: null }).execute()
  const meanwhile = source('post', async () => {
    await decide('rejected')
    return { outcome: 'confirmed' }
  })
  await run(meanwhile)
  assert.equal(await status(), 'rejected')
})

test('what was seen of a claim that is corrected meanwhile is not kept', async (t) => {
  const { deps, id, run, status, evidence } = await claimed(t)
  let corrected = 0
  const post = source('post', async () => {
    if (corrected++ === 0)
      await deps.db.updateTable('claims').set({ retweet_link: 'https://x.com/b/status/2' }).execute()
    return { outcome: 'contradicted' }
  })
  // The second try comes at once, in the same run.
  assert.equal(await run(post), 2)
  assert.deepEqual(await evidence(), [settled('post', 'contradicted')])
  assert.equal(await status(), 'under_review')
  await inTransaction(deps.db, (tx) => startChecks(tx, id))
  assert.deepEqual(await evidence(), [], 'asking anew forgets what was seen')
})

test('a source that breaks could not tell, and the others are heard; a claim that is gone ends its job', async (t) => {
  const { deps, run, evidence } = await claimed(t)
  const broken = source('post', () => Promise.reject(new Error('a fault of ours')))
  await run(
    broken,
    source('wallet', () => ({ outcome: 'confirmed' })),
  )
  assert.deepEqual(await evidence(), [unsettled('post'), settled('wallet', 'confirmed')])
  await deps.db.deleteFrom('claims').execute()
  const job = { id: newId(), payload: { claimId: newId() }, attempts: 1 }
  assert.ok('dead' in (await checkClaim(deps, [broken], job)))
})

test('a claim is under review after a minute at the latest, also when every service hangs', async (t) => {
  const { deps, run, status, evidence, pass } = await claimed(t)
  const hanging = Promise.withResolvers<Saying>()
  const asked = Promise.withResolvers<void>()
  const post = source('post', () => {
    asked.resolve()
    return hanging.promise
  })
  const wallet = source('wallet', () => ({ outcome: 'confirmed' }))
  const sources = [post, wallet]
  const running = run(...sources)
  await asked.promise
  assert.equal(await moveLateClaimsToReview(deps.db, sources), 0, 'it has time left')
  await pass('50 seconds')
  assert.equal(await moveLateClaimsToReview(deps.db, sources), 1)
  assert.equal(await status(), 'under_review')
  assert.deepEqual(await evidence(), [unsettled('post', 0), unsettled('wallet', 0)])
  assert.equal(await moveLateClaimsToReview(deps.db, sources), 0)
  hanging.resolve({ outcome: 'confirmed' })
  await running
  assert.deepEqual(await evidence(), [settled('post', 'confirmed'), settled('wallet', 'confirmed')])
})

test('several nodes: each claim is looked at by one, and late ones are settled once', async (t) => {
  const nodes = await twoNodes(t)
  const [one] = nodes
  const post = source('post', () => ({ outcome: 'confirmed' }))
  const people = await createUsers(one.db, one.campaign.id, ROUNDS * 10)
  for (let round = 0; round < ROUNDS; round += 1) {
    const claims = people.slice(round * 10, round * 10 + 10)
    await Promise.all(claims.map(({ id }) => submitProof(one, id, freshProof())))
    const before = post.asked
    if (round % 2 === 0) {
      const looking = nodes.map((node) => runDue(node.db, CHECK_JOB, (job) => checkClaim(node, [post], job)))
      assert.equal(
        (await Promise.all(looking)).reduce((sum, count) => sum + count),
        10,
      )
      assert.equal(post.asked - before, 10)
      continue
    }
    await one.db
      .updateTable('claims')
      .set({ submitted_at: sql`now() - interval '46 seconds'` })
      .execute()
    const settling = nodes.map(({ db }) => moveLateClaimsToReview(db, [post]))
    assert.equal(
      (await Promise.all(settling)).reduce((sum, count) => sum + count),
      10,
    )
    await runDue(one.db, CHECK_JOB, (job) => checkClaim(one, [post], job))
  }
  const left = await one.db.selectFrom('claims').select('id').where('status', '!=', 'under_review').execute()
  assert.deepEqual(left, [])
})
