import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { EvidenceCheck, CheckOutcome } from '#contract/claims/evidence.ts'
import type { Locale } from '#contract/locales.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { SCORE_JOB } from '../signals/score-claim.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { testNode } from '#server/testing/deps.ts'
import { advanceTime } from '#server/testing/advance-time.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { ROUNDS, twoNodes } from '#server/testing/database/races.ts'
import { checkClaim } from './check-claim.ts'
import { copyOf, couldNotTell, type Finding, type CheckResult, type Source } from './finding.ts'
import { moveLateClaimsToReview } from './late-claims.ts'
import { CHECK_JOB, restartChecks } from './start-checks.ts'
import { readEvidence } from './findings.ts'

/** `afterSeconds` is the delay that the service asks for. */
type Result = { outcome: CheckOutcome; afterSeconds?: number }

const REPLY = '{"a":1}'

function stubSource(check: EvidenceCheck, answer: () => Result | Promise<Result>): Source & { runs: number } {
  const stub = {
    name: `source of ${check}`,
    checks: [check],
    runs: 0,
    async run() {
      stub.runs += 1
      const { outcome, afterSeconds } = await answer()
      const finding: Finding = { check, outcome, found: { code: 'post_shown' }, source: stub.name }
      const retry = outcome === 'could_not_tell' ? { retry: { afterSeconds } } : {}
      const copy = copyOf(REPLY, 200)
      return { findings: [{ ...finding, ...retry, copy }] }
    },
  }
  return stub
}

async function setUpClaim(t: TestContext) {
  const { db, pool, deps } = await testNode(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  return {
    deps,
    id,
    advance: (time: string) => advanceTime(pool, time),
    /** @returns how many jobs were run. */
    run: (...sources: Source[]) => runDue(db, CHECK_JOB, (job) => checkClaim(deps, sources, job)),
    readStatus: async () => (await db.selectFrom('claims').select('status').executeTakeFirstOrThrow()).status,
    /** Each check with its outcome and number of tries, and `retry` if another is due. */
    readOutcomes: async () =>
      (await readEvidence(db, id)).map(
        ({ check, outcome, tries, nextTryAt }) => `${check} ${outcome} ${tries}${nextTryAt ? ' retry' : ''}`,
      ),
  }
}

test('runs every check once and moves the claim to review', async (t) => {
  const { deps, id, run, readStatus, readOutcomes } = await setUpClaim(t)
  assert.equal(await readStatus(), 'submitted')
  const post = stubSource('post', () => ({ outcome: 'confirmed' }))
  const wallet = stubSource('wallet', () => ({ outcome: 'contradicted' }))
  assert.equal(await run(post, wallet), 1)
  assert.equal(await readStatus(), 'under_review')
  assert.deepEqual(await readOutcomes(), ['post confirmed 1', 'wallet contradicted 1'])
  const [evidenceOfPost] = await readEvidence(deps.db, id)
  const seenHash = createHash('sha256').update(REPLY).digest('hex')
  assert.partialDeepStrictEqual(evidenceOfPost, { httpStatus: 200, seen: REPLY, seenHash })
  assert.equal(await run(post, wallet), 0, 'no job is left')
})

test('evidence is in the reviewer’s language, or in English if its message code is unknown', async (t) => {
  const { deps, id } = await setUpClaim(t)
  await runClaimChecks(deps)
  const readWalletDetail = async (locale?: Locale) => {
    const evidence = await readEvidence(deps.db, id, locale)
    return evidence.find(({ check }) => check === 'wallet')?.detail ?? assert.fail()
  }
  const english = await readWalletDetail()
  assert.match(english, /^A valid address/)
  assert.match(await readWalletDetail('es'), /^Una dirección válida/)
  const sources = (await readEvidence(deps.db, id, 'es')).map((evidence) => [evidence.check, evidence.source])
  assert.partialDeepStrictEqual(Object.fromEntries(sources), {
    wallet: 'la propia dirección (EIP-55)',
    'wallet-kind': 'cadena 369 por JSON-RPC',
    post: 'X oEmbed',
  })
  for (const found of [null, '{"code":"of_a_later_version"}', '{"code":"toString"}']) {
    await deps.db.updateTable('evidence').set({ found }).where('check_name', '=', 'wallet').execute()
    assert.equal(await readWalletDetail('es'), english)
  }
})

test('retries only inconclusive checks, with back-off', async (t) => {
  const { run, readStatus, readOutcomes, advance } = await setUpClaim(t)
  let answer: Result = { outcome: 'could_not_tell' }
  const post = stubSource('post', () => answer)
  const wallet = stubSource('wallet', () => ({ outcome: 'confirmed' }))
  await run(post, wallet)
  assert.equal(await readStatus(), 'under_review', 'a check that could not tell counts as done')
  assert.deepEqual(await readOutcomes(), ['post could_not_tell 1 retry', 'wallet confirmed 1'])

  // The second try is due 30 to 36 seconds after the first, the third 120 to 144 seconds after the second.
  await advance('15 seconds')
  assert.equal(await run(post, wallet), 0)
  await advance('25 seconds')
  assert.equal(await run(post, wallet), 1)
  assert.deepEqual(await readOutcomes(), ['post could_not_tell 2 retry', 'wallet confirmed 1'])

  await advance('90 seconds')
  assert.equal(await run(post, wallet), 0)
  answer = { outcome: 'confirmed' }
  await advance('60 seconds')
  assert.equal(await run(post, wallet), 1)
  assert.deepEqual(await readOutcomes(), ['post confirmed 3', 'wallet confirmed 1'])
  assert.deepEqual({ post: post.runs, wallet: wallet.runs }, { post: 3, wallet: 1 })
})

test('does not retry a check that the campaign no longer has', async (t) => {
  const { deps, run, advance } = await setUpClaim(t)
  const hashtags = stubSource('post-hashtags', () => ({ outcome: 'could_not_tell' }))
  const wallet = stubSource('wallet', () => ({ outcome: 'confirmed' }))
  await run(hashtags, wallet)
  await advance('10 minutes')
  const jobs = deps.db.selectFrom('jobs').selectAll().where('kind', '=', CHECK_JOB)
  const job = await jobs.executeTakeFirstOrThrow()
  assert.deepEqual(await checkClaim(deps, [wallet], job), { done: true })
})

test('queues scoring after the first run, and again once the post’s text is known', async (t) => {
  const { deps, run, advance } = await setUpClaim(t)
  const countScorings = async () =>
    (await deps.db.selectFrom('jobs').select('id').where('kind', '=', SCORE_JOB).execute()).length
  let answer: CheckResult = {
    findings: couldNotTell({ name: 'X', checks: ['post'] }, { code: 'unreachable' }, { retry: {} }),
  }
  const post: Source = { name: 'X', checks: ['post'], run: async () => answer }
  await run(post)
  assert.equal(await countScorings(), 1)
  await advance('10 minutes')
  assert.equal(await run(post), 1)
  assert.equal(await countScorings(), 1)
  await advance('10 minutes')
  answer = { findings: answer.findings, postText: 'the words of my very own post, at last' }
  assert.equal(await run(post), 1)
  assert.equal(await countScorings(), 2)
  const { words } = await deps.db.selectFrom('post_texts').select('words').executeTakeFirstOrThrow()
  assert.equal(words, 'the words of my very own post at last')
})

test('waits before a retry for as long as the service asks, up to an hour', async (t) => {
  const { run, advance } = await setUpClaim(t)
  let afterSeconds = 300
  const post = stubSource('post', () => ({ outcome: 'could_not_tell', afterSeconds }))
  await run(post)
  // Each retry is up to a fifth late, so this one is due after five to six minutes.
  await advance('4 minutes')
  assert.equal(await run(post), 0)
  afterSeconds = 1e300
  await advance('2 minutes 1 second')
  assert.equal(await run(post), 1)
  // This one is due after 60 to 72 minutes.
  await advance('59 minutes')
  assert.equal(await run(post), 0)
  await advance('13 minutes 1 second')
  assert.equal(await run(post), 1)
})

test('stops retrying a day after the claim', async (t) => {
  const { run, readOutcomes, advance } = await setUpClaim(t)
  const post = stubSource('post', () => ({ outcome: 'could_not_tell' }))
  // From the fourth try on, a retry is due after 60 to 72 minutes.
  const oneRetry = '75 minutes'
  for (const wait of [oneRetry, oneRetry, oneRetry, '18 hours 45 minutes', oneRetry, oneRetry]) {
    assert.equal(await run(post), 1)
    await advance(wait)
  }
  // The last run was 23:45 hours after the claim, so another retry would be later than a day.
  assert.deepEqual(await readOutcomes(), ['post could_not_tell 6'])
  assert.equal(await run(post), 0)
})

test('keeps the decision on a claim that is decided before or during its checks', async (t) => {
  const { deps, id, run, readStatus, readOutcomes, advance } = await setUpClaim(t)
  const assertDecisionStays = async (decision: string, post: Source) => {
    assert.equal(await run(post), 1)
    assert.equal(await readStatus(), decision)
    // The time of a next try is still stored, but no job will use it.
    assert.deepEqual(await readOutcomes(), ['post could_not_tell 1 retry'])
    await advance('2 hours')
    assert.equal(await run(post), 0, 'no check is retried')
  }
  await sql`update claims set status = 'approved', decided_at = now()`.execute(deps.db)
  const inconclusivePost = stubSource('post', () => ({ outcome: 'could_not_tell' }))
  await assertDecisionStays('approved', inconclusivePost)

  await inTransaction(deps.db, (tx) => restartChecks(tx, id))
  await deps.db.updateTable('claims').set({ status: 'submitted', decided_at: null }).execute()
  const rejectingPost = stubSource('post', async () => {
    await markRejected(deps.db, id)
    return { outcome: 'could_not_tell' }
  })
  await assertDecisionStays('rejected', rejectingPost)
})

test('runs the checks again at once if the proof changes during them', async (t) => {
  const { deps, id, run, readStatus, readOutcomes } = await setUpClaim(t)
  const post = stubSource('post', async () => {
    await deps.db.updateTable('claims').set({ retweet_link: 'https://x.com/b/status/2' }).execute()
    return { outcome: 'contradicted' }
  })
  assert.equal(await run(post), 2)
  assert.deepEqual(await readOutcomes(), ['post contradicted 1'])
  assert.equal(await readStatus(), 'under_review')
  await inTransaction(deps.db, (tx) => restartChecks(tx, id))
  assert.deepEqual(await readOutcomes(), [], 'restarting the checks deletes the evidence')
})

test('a failing source leaves its checks inconclusive and does not affect the others', async (t) => {
  const { run, readOutcomes } = await setUpClaim(t)
  const broken = stubSource('post', () => Promise.reject(new Error('a fault of ours')))
  const wallet = stubSource('wallet', () => ({ outcome: 'confirmed' }))
  await run(broken, wallet)
  assert.deepEqual(await readOutcomes(), ['post could_not_tell 1 retry', 'wallet confirmed 1'])
})

test('ends the job of a claim that has been deleted', async (t) => {
  const { deps } = await testNode(t)
  const job = { id: newId(), payload: { claimId: newId() }, attempts: 1 }
  assert.deepEqual(await checkClaim(deps, [], job), { done: true })
})

test('moves a claim to review within a minute even if a service hangs', async (t) => {
  const { deps, run, readStatus, readOutcomes, advance } = await setUpClaim(t)
  const result = Promise.withResolvers<Result>()
  const asked = Promise.withResolvers<void>()
  const post = stubSource('post', () => {
    asked.resolve()
    return result.promise
  })
  const wallet = stubSource('wallet', () => ({ outcome: 'confirmed' }))
  const sources = [post, wallet]
  const running = run(...sources)
  await asked.promise
  assert.equal(await moveLateClaimsToReview(deps.db, sources), 0, 'the claim is not late yet')

  await advance('50 seconds')
  assert.equal(await moveLateClaimsToReview(deps.db, sources), 1)
  assert.equal(await readStatus(), 'under_review')
  assert.deepEqual(await readOutcomes(), ['post could_not_tell 0 retry', 'wallet could_not_tell 0 retry'])
  assert.equal(await moveLateClaimsToReview(deps.db, sources), 0)

  result.resolve({ outcome: 'confirmed' })
  await running
  assert.deepEqual(await readOutcomes(), ['post confirmed 1', 'wallet confirmed 1'])
})

test('race: two nodes move each late claim to review once and check it once', async (t) => {
  const [here, there] = await twoNodes(t)
  const post = stubSource('post', () => ({ outcome: 'confirmed' }))
  const moveLateClaims = ({ db }: Deps) => moveLateClaimsToReview(db, [post])
  const runChecks = (node: Deps) => runDue(node.db, CHECK_JOB, (job) => checkClaim(node, [post], job))
  const claimsPerRound = 3
  for (let round = 1; round <= ROUNDS; round += 1) {
    const claimants = await createUsers(here.db, here.campaign.id, claimsPerRound)
    await Promise.all(claimants.map(({ id }) => submitProof(here, id, freshProof())))
    // One second more than LATE_AFTER.
    await sql`update claims set submitted_at = now() - interval '46 seconds'`.execute(here.db)
    const [movedHere, movedThere] = await Promise.all([moveLateClaims(here), moveLateClaims(there)])
    assert.equal(movedHere + movedThere, claimsPerRound, `round ${round}`)
    const [jobsHere, jobsThere] = await Promise.all([runChecks(here), runChecks(there)])
    assert.equal(jobsHere + jobsThere, claimsPerRound, `round ${round}`)
    assert.equal(post.runs, claimsPerRound * round)
  }
  const notMoved = here.db.selectFrom('claims').select('id').where('status', '!=', 'under_review')
  assert.deepEqual(await notMoved.execute(), [])
})
