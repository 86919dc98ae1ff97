import assert from 'node:assert/strict'
import { test } from 'node:test'
import defaultCampaign from '#server/testing/campaign.ts'
import { readClaimants } from '../domain/accounts/user.ts'
import { setConsent } from '../domain/announcements/consent.ts'
import { compactClaimCounts } from '../domain/claims/claim-counts.ts'
import { listClaimants } from '../domain/claims/list-claimants.ts'
import { readOwnClaim } from '../domain/claims/own-claim.ts'
import { purgeIdentifiers } from '../domain/claims/submission/purge-identifiers.ts'
import { submitProof } from '../domain/claims/submission/submit-proof.ts'
import { moveLateClaimsToReview } from '../domain/evidence/late-claims.ts'
import { readDueChecks, saveFindings } from '../domain/evidence/findings.ts'
import { compactDailyCounts } from '../domain/insights/counts.ts'
import { readArrivals, readFunnel, readInviters } from '../domain/insights/funnel.ts'
import { readMail } from '../domain/insights/mail-figures.ts'
import { addDays, dayOf, type Range } from '../domain/insights/range.ts'
import {
  readAgreement,
  readDecisionTimes,
  readReviewers,
  readWaiting,
} from '../domain/insights/review-figures.ts'
import { readClusters, readSlotFigures, readTotals } from '../domain/insights/slot-figures.ts'
import { createVisitCounter } from '../domain/insights/visits/counter.ts'
import { eraseDetails } from '../domain/journal/erase-details.ts'
import { exportJournal } from '../domain/journal/export-journal.ts'
import { readJournal } from '../domain/journal/read-journal.ts'
import { sealJournal } from '../domain/journal/seal.ts'
import { readChanges } from '../domain/token-proofs/records.ts'
import { readBoard, readRank } from '../domain/leaderboard/read-board.ts'
import { compactBoardCounts, ensureStandings, fillBoardSoon, fillBoard } from '../domain/ledger/board.ts'
import { reverse } from '../domain/ledger/credit.ts'
import { linkAccounts } from '../domain/signals/link-accounts.ts'
import { purgeNetworks } from '../domain/signals/network.ts'
import { scoreClaim } from '../domain/signals/score-claim.ts'
import { takeSlots } from '../domain/seed/seed-claims.ts'
import { expireReservations, removeFirstWaiting, reserveNext } from '../domain/slots/reallocate-slots.ts'
import { freeSlot } from '../domain/slots/keep-or-free-slot.ts'
import { retakeSlot } from '../domain/slots/take-slot.ts'
import { readPlace } from '../domain/slots/waiting-list.ts'
import { JOB_COUNTS } from '../health/database-gauges.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { purgeJobs, runDue } from '../platform/jobs/jobs.ts'
import { consume } from '../platform/limits/rate-limiter.ts'
import { ADMINISTRATOR, fillCampaign, idOf, ROWS, TOKEN } from '../testing/builders/large-campaign.ts'
import { freshProof } from '../testing/builders/proof.ts'
import { testDatabase } from '../testing/database/database.ts'
import { testDeps } from '../testing/deps.ts'
import { type PlanCases, planRecorder, reportPlans, type Run } from '../testing/checks/plans.ts'
import { PAYOUT_PLANS } from './payout-plans.ts'
import { PEOPLE_PLANS } from './people-plans.ts'
import { REVIEW_PLANS } from './review-plans.ts'

type JournalFilters = Partial<Parameters<typeof readJournal>[1]>

const journal =
  (filters: JournalFilters): Run =>
  ({ db }) =>
    readJournal(db, { limit: 50, ...filters })
const boardPage =
  (page: number): Run =>
  ({ db, campaign }) =>
    readBoard(db, campaign.id, { page, limit: 10 })
const inTx =
  (work: (tx: Tx, campaignId: string) => Promise<unknown>): Run =>
  ({ db, campaign }) =>
    inTransaction(db, (tx) => work(tx, campaign.id))

/** Rows that a statement may read from one table unless its case has another number. */
const FEW = 200
/** The same for background work, which is done in batches. */
const BATCH = 2_000

/** One bucket of standings and one page. */
const BOARD_ROWS = 64 + 10
const BOARD_INDEXES = ['standings_totals_pkey', 'standings_counts_pkey', 'standings_order', 'users_pkey']

/** Participant n has claim and slot n. Odd claims wait, those that end in 2 are rejected, others approved. */
const CASES: PlanCases = {
  'a page of those who submitted': [
    (deps) => listClaimants(deps, ADMINISTRATOR, { page: 3, limit: 20 }),
    ['claims_first_attempts', 'claims_by_user'],
  ],
  'compacting the counts of claims': [({ db }) => compactClaimCounts(db), []],
  'purging identifiers': [
    ({ db }) => purgeIdentifiers(db),
    ['claim_identifiers_by_claim', 'claims_pkey'],
    BATCH,
  ],
  'the own claim of the last in the queue': [
    (deps) => readOwnClaim(deps, idOf(3)),
    ['claims_by_user', 'claims_waiting', 'slots_one_a_person', 'waiting_list_order', 'claims_decided'],
    ROWS,
  ],
  'the place of the last on the waiting list': [
    ({ db, campaign }) => readPlace(db, campaign.id, idOf(ROWS)),
    ['waiting_list_pkey', 'waiting_list_order'],
    ROWS,
  ],
  'an account with its points': [
    ({ db, campaign }) => readClaimants(db, campaign.id, [idOf(50)]),
    ['users_pkey', 'standings_pkey', 'claims_by_user', 'ledger_by_claim', 'users_by_referrer'],
    1_000,
  ],
  'claiming again with a kept slot': [
    (deps) => submitProof(deps, idOf(19_992), freshProof()),
    ['users_pkey', 'slots_one_a_person', 'claims_by_user'],
  ],
  'taking a slot': [
    inTx((tx, id) => retakeSlot(tx, id, idOf(1012))),
    ['slots_one_a_person', 'slots_free', 'slots_pkey'],
  ],
  'freeing a slot': [inTx((tx, id) => freeSlot(tx, id, idOf(22), 'kept')), ['slots_one_a_person']],
  'seeding claims': [inTx((tx, id) => takeSlots(tx, id, [idOf(2012)])), ['slots_free', 'slots_pkey']],
  'expiring reservations': [inTx((tx, id) => expireReservations(tx, id, 20)), ['slots_by_end']],
  'reserving a slot for the next on the waiting list': [
    inTx((tx, id) => reserveNext(tx, id)),
    ['users_banned', 'waiting_list_order', 'slots_free'],
  ],
  'ending the waiting list': [
    inTx((tx, id) => removeFirstWaiting(tx, id, 20)),
    ['waiting_list_order', 'waiting_list_pkey'],
  ],
  'the first page of the leaderboard': [boardPage(1), BOARD_INDEXES, BOARD_ROWS],
  'a page in the middle of the leaderboard': [boardPage(ROWS / 20), BOARD_INDEXES, BOARD_ROWS],
  'the last page of the leaderboard': [boardPage(ROWS / 10), BOARD_INDEXES, BOARD_ROWS],
  'the rank of a participant': [
    ({ db, campaign }) => readRank(db, campaign.id, idOf(50_001)),
    ['standings_pkey', 'standings_order', 'standings_totals_pkey', 'standings_counts_pkey'],
    BOARD_ROWS,
  ],
  'the standings of those who are credited': [
    inTx((tx, id) => ensureStandings(tx, id, [idOf(5), idOf(6)])),
    ['users_pkey', 'standings_pkey'],
  ],
  'whether a leaderboard must be filled': [
    inTx((tx, id) => fillBoardSoon(tx, id)),
    ['users_pkey', 'standings_pkey', 'jobs_due'],
    BATCH,
  ],
  'filling a leaderboard': [
    ({ db, campaign }) => fillBoard(db, campaign.id),
    ['users_pkey', 'standings_pkey'],
    BATCH,
  ],
  'reversing credits': [
    inTx((tx) => reverse(tx, idOf(500), { actor: ADMINISTRATOR })),
    ['ledger_by_claim', 'ledger_reverses_key', 'standings_pkey'],
  ],
  'compacting the counts of the leaderboard': [({ db }) => compactBoardCounts(db), ['standings_counts_pkey']],
  'scoring a claim': [
    ({ db }) => scoreClaim(db, idOf(1501)),
    [
      'users_by_canonical_email',
      'claims_rejected_wallet',
      'claims_rejected_telegram',
      'claims_rejected_twitter',
      'claims_rejected_post',
      'claims_wallet',
      'claims_telegram',
      'claims_twitter',
      'claims_post',
      'post_texts_by_band',
      'network_visits_by_prefix',
      'account_links_pkey',
      'account_links_by_older',
      'clusters_pkey',
      'clusters_members',
    ],
    1_000,
  ],
  'scoring a claim of a busy network': [
    ({ db }) => scoreClaim(db, idOf(50)),
    ['network_visits_by_prefix'],
    1_000,
  ],
  'rebuilding a cluster': [
    inTx((tx, campaignId) => linkAccounts(tx, { campaignId, userId: idOf(802), signals: [] })),
    ['account_links_pkey', 'clusters_members'],
  ],
  'deleting old networks': [purgeNetworks, ['network_visits_by_time']],
  'the due checks of a claim': [({ db }) => readDueChecks(db, idOf(50), ['wallet']), ['evidence_pkey']],
  'saving findings': [
    inTx((tx) =>
      saveFindings(tx, idOf(50), [
        { check: 'wallet', outcome: 'confirmed', found: { code: 'post_shown' }, source: 'chain' },
      ]),
    ),
    ['evidence_pkey', 'claims_pkey'],
  ],
  'claims whose checks are late': [({ db }) => moveLateClaimsToReview(db, []), ['claims_submitted']],
  'a page of the journal': [
    journal({}),
    ['journal_by_time', 'journal_seals_entry_key', 'journal_details_pkey'],
  ],
  'a later page of the journal': [journal({ cursor: idOf(500) }), ['journal_by_time']],
  'the newest changes of what is proven about the token': [
    ({ db }) => readChanges(db, TOKEN, 20),
    ['token_proof_changes_by_claim'],
  ],
  'the journal by action': [journal({ action: 'role.changed' }), ['journal_by_action']],
  'the journal by actor': [journal({ actor: ADMINISTRATOR }), ['journal_by_actor']],
  'the journal by subject': [journal({ subject: idOf(500) }), ['journal_by_subject']],
  'sealing the journal': [({ db }) => sealJournal(db), ['journal_pkey', 'journal_seals_pkey']],
  'exporting the journal': [
    async ({ db }) => (await exportJournal(db, { actor: null, withDetails: true })).next(),
    ['journal_seals_pkey', 'journal_pkey', 'journal_details_pkey'],
    BATCH,
  ],
  'erasing the details of a participant': [
    ({ db }) => eraseDetails(db, idOf(77)),
    ['journal_by_actor', 'journal_by_subject', 'journal_details_pkey'],
  ],
  'leasing jobs while another kind has a backlog': [
    ({ db }) => runDue(db, 'check-claim', async () => ({ done: true })),
    ['jobs_due', 'jobs_expiring'],
  ],
  'counting jobs for the metrics': [(_deps, pool) => pool.query(JOB_COUNTS), ['jobs_due', 'jobs_dead'], ROWS],
  'deleting finished jobs': [({ db }) => purgeJobs(db), ['jobs_finished']],
  'opting out of announcements': [
    ({ db }) => setConsent(db, idOf(12_045), false),
    ['announcement_recipients_by_user'],
  ],
  'consuming rate limits': [
    ({ db }) => consume(db, { key: 'login 5', limit: { take: 5, seconds: 60 } }),
    ['rate_limits_pkey'],
  ],
}

type Reader = (db: Database, campaignId: string, range: Range) => Promise<unknown>

const TODAY = dayOf(new Date())
/** Until tomorrow, because this file may be loaded before midnight, and the accounts created after it. */
const FOUR_WEEKS: Range = { from: addDays(TODAY, -26), to: addDays(TODAY, 1), by: 'day' }
const figures =
  (read: Reader): Run =>
  ({ db, campaign }) =>
    read(db, campaign.id, FOUR_WEEKS)

const COUNT_INDEXES = ['daily_counts_order']
/** Four weeks with 200 daily counts each day. */
const COUNT_ROWS = 28 * 200

const INSIGHT_PLANS: PlanCases = {
  'the funnel of four weeks': [figures(readFunnel), COUNT_INDEXES, COUNT_ROWS],
  'where participants of four weeks came from': [figures(readArrivals), COUNT_INDEXES, COUNT_ROWS],
  // Reads everyone who was invited in the range: here everyone ever, because all accounts are of today.
  'those who invited most': [
    figures(readInviters),
    ['users_invited', 'users_by_referrer', 'claims_by_user', 'users_pkey'],
    ROWS / 2,
  ],
  // Reads every waiting claim. Half of all claims wait.
  'the ages of waiting claims': [figures(readWaiting), ['claims_waiting'], ROWS * 0.6],
  'the times of decisions': [figures(readDecisionTimes), COUNT_INDEXES],
  'the reviewers': [figures(readReviewers), COUNT_INDEXES, COUNT_ROWS],
  'decisions by risk': [figures(readAgreement), COUNT_INDEXES],
  'emails of four weeks': [figures(readMail), COUNT_INDEXES, COUNT_ROWS],
  'slots of four weeks, from all days before them': [figures(readSlotFigures), COUNT_INDEXES, ROWS / 4],
  // Reads every account in a cluster.
  'clusters by size': [figures(readClusters), ['claims_one_live'], ROWS],
  'slots and claims in total': [figures(readTotals), COUNT_INDEXES],
  // Reads all rows, through an index or not, depending on the table's statistics.
  'compacting the daily counts': [({ db }) => compactDailyCounts(db), [], 2 * ROWS],
  'saving visits': [
    ({ db }) => {
      const counter = createVisitCounter()
      counter.count({ page: '/', arrival: 'new.example' })
      return counter.flush(db)
    },
    COUNT_INDEXES,
  ],
}

test(`statements use their indexes and read few rows at ${ROWS.toLocaleString('en')} rows`, async (t) => {
  const { db, pool, ownerUrl } = await testDatabase(t, { timeoutMs: 60_000 })
  const plansOf = planRecorder(pool)
  await fillCampaign(ownerUrl, defaultCampaign.id)
  await reportPlans(ownerUrl)
  const deps = await testDeps(db)
  for (const [name, [run, indexes, maxRows = FEW]] of Object.entries({
    ...REVIEW_PLANS,
    ...CASES,
    ...PAYOUT_PLANS,
    ...PEOPLE_PLANS,
    ...INSIGHT_PLANS,
  })) {
    await t.test(name, async () => {
      const plans = await plansOf(() => run(deps, pool))
      const used = new Set(plans.flatMap((plan) => plan.indexes))
      const unused = indexes.filter((index) => !used.has(index))
      assert.deepEqual(unused, [], `unused; used: ${[...used].join(', ')}`)
      const excessive = plans.filter(({ most }) => most.rows > maxRows)
      assert.deepEqual(excessive, [], `a statement reads more than ${maxRows} rows`)
    })
  }
})
