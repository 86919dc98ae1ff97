import { recordSeenRevisions } from '../domain/claims/decisions/optimistic-lock.ts'
import { listClaims } from '../domain/review/list-claims.ts'
import { readClaim } from '../domain/review/read-claim.ts'
import { rejectCluster } from '../domain/review/reject-cluster.ts'
import { readSummary } from '../domain/review/summary.ts'
import { ADMINISTRATOR, idOf } from '../testing/builders/large-campaign.ts'
import { pagesOf, type PlanCases } from '../testing/checks/plans.ts'

const { list, nextPage } = pagesOf<Parameters<typeof listClaims>[2]>((deps, filters) =>
  listClaims(deps, ADMINISTRATOR, { filter: 'waiting', sort: 'age', limit: 50, ...filters }),
)

/** What runs, the indexes that it must use, and how many rows it may read from one table, by default 200. */
export const REVIEW_PLANS: PlanCases = {
  'a page of the waiting claims by age': [list({}), ['claims_waiting', 'users_pkey']],
  'a later page of the waiting claims by age': [nextPage({}), ['claims_waiting']],
  'a page of the waiting claims by risk': [list({ sort: 'risk' }), ['claims_waiting_by_risk']],
  'a later page of the waiting claims by risk': [nextPage({ sort: 'risk' }), ['claims_waiting_by_risk']],
  'the waiting claims of high risk by age': [list({ risk: 'high' }), ['claims_waiting_by_risk']],
  'the waiting claims of high risk by risk': [
    list({ risk: 'high', sort: 'risk' }),
    ['claims_waiting_by_risk'],
  ],
  'a page of the flagged claims': [list({ filter: 'flagged' }), ['claims_waiting']],
  'a page of the appealed claims': [list({ filter: 'appealed' }), ['appeals_open', 'claims_pkey']],
  'the appealed claims of high risk': [
    list({ filter: 'appealed', risk: 'high' }),
    ['appeals_open', 'claims_pkey'],
  ],
  'a page of the latest decisions': [list({ filter: 'decided' }), ['claims_decided']],
  'a later page of the decisions': [nextPage({ filter: 'decided' }), ['claims_decided']],
  'the decided claims of high risk': [list({ filter: 'decided', risk: 'high' }), ['claims_decided_by_risk']],
  'the decided claims by risk': [list({ filter: 'decided', sort: 'risk' }), ['claims_decided_by_risk']],
  'a later page of the decided claims by risk': [
    nextPage({ filter: 'decided', sort: 'risk' }),
    ['claims_decided_by_risk'],
  ],
  'a search of the review list': [
    list({ search: 'person104711' }),
    [
      'users_by_name_prefix',
      'users_by_email_prefix',
      'claims_by_wallet_prefix',
      'claims_by_telegram_prefix',
      'claims_by_twitter_prefix',
      'claims_by_user',
      'claims_pkey',
    ],
  ],
  'a search of all claims': [list({ filter: 'all', search: 'person104711' }), ['claims_pkey']],
  'a search that matches a thousand': [
    list({ search: 'person101' }),
    ['claims_by_user', 'claims_pkey'],
    2_000,
  ],
  'a search that matches everyone': [
    list({ search: 'person' }),
    ['users_by_email_prefix', 'claims_by_user'],
    2_000,
  ],
  'the summary of the review list': [readSummary, ['claims_waiting', 'appeals_open']],
  'a claim with its cluster': [
    (deps) => readClaim(deps, { reviewerId: ADMINISTRATOR, claimId: idOf(51) }),
    ['claims_pkey', 'clusters_pkey', 'clusters_members', 'account_links_pkey', 'claim_events_by_claim'],
  ],
  'rejecting a cluster': [
    (deps) =>
      rejectCluster(deps, {
        clusterId: idOf(400),
        decision: { reason: 'same_person', text: '' },
        reviewer: { userId: ADMINISTRATOR, role: 'admin', tokenHash: Buffer.alloc(0) },
        network: '192.0.2.1',
        locale: 'en',
      }),
    ['clusters_members', 'claims_by_user', 'slots_one_a_person'],
  ],
  'recording the revisions that an administrator saw': [
    ({ db }) => recordSeenRevisions(db, ADMINISTRATOR, [{ claimId: idOf(5), revision: 3 }]),
    ['seen_revisions_pkey'],
  ],
}
