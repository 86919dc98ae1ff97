import assert from 'node:assert/strict'
import { ban } from '../domain/accounts/bans/ban.ts'
import { deleteAccount } from '../domain/accounts/deletion/delete-account.ts'
import { sendResetCode } from '../domain/accounts/password/reset-password.ts'
import { purgeExpired } from '../domain/accounts/registration/purge.ts'
import { register } from '../domain/accounts/registration/register.ts'
import { deletePendingRegistrations } from '../domain/accounts/registration/verify-email.ts'
import { refuseIfLast } from '../domain/accounts/roles/administrators.ts'
import { csvChunks } from '../domain/people/export-people.ts'
import { listPeople } from '../domain/people/list-people.ts'
import { readPerson } from '../domain/people/read-person.ts'
import { inTransaction } from '../platform/database/database.ts'
import { ADMINISTRATOR, idOf, ROWS } from '../testing/builders/large-campaign.ts'
import { pagesOf, type PlanCases } from '../testing/checks/plans.ts'

const { list, nextPage } = pagesOf<Parameters<typeof listPeople>[1]>((deps, filters) =>
  listPeople(deps, { filter: 'all', limit: 50, ...filters }),
)

/** What runs, the indexes that it must use, and how many rows it may read from one table, by default 200. */
export const PEOPLE_PLANS: PlanCases = {
  'a page of all people': [list({}), ['users_pkey', 'claims_by_user', 'standings_pkey', 'clusters_pkey']],
  'a later page of all people': [nextPage({}), ['users_pkey']],
  'the banned people': [list({ filter: 'banned' }), ['users_suspended']],
  'the administrators': [list({ filter: 'administrators' }), ['users_administrators']],
  'a page of those with a claim': [list({ filter: 'claimed' }), ['claims_first_attempts']],
  'a later page of those with a claim': [nextPage({ filter: 'claimed' }), ['claims_first_attempts']],
  'the people of a cluster': [list({ cluster: idOf(400) }), ['clusters_members', 'users_pkey']],
  'a search for a person': [
    list({ search: 'person104711' }),
    [
      'users_by_name_prefix',
      'users_by_email_prefix',
      'claims_by_wallet_prefix',
      'claims_by_telegram_prefix',
      'claims_by_twitter_prefix',
      'telegram_accounts_by_name_prefix',
      'proven_wallets_one_participant',
    ],
  ],
  'a search for people that matches everyone': [list({ search: 'person' }), ['claims_by_user'], 2_000],
  'a search among those with a claim': [
    list({ search: 'person1047', filter: 'claimed' }),
    ['users_by_name_prefix', 'claims_by_user'],
  ],
  'the page of a person': [
    (deps) => readPerson(deps, idOf(801), { reader: ADMINISTRATOR }),
    [
      'users_pkey',
      'claims_by_user',
      'evidence_pkey',
      'claim_events_by_claim',
      'ledger_by_user',
      'journal_by_subject',
      'jobs_recipients',
      'users_by_referrer',
      'clusters_members',
      'payout_shares_pkey',
      'slots_one_a_person',
      'waiting_list_pkey',
    ],
  ],
  'a person who has invited hundreds': [
    (deps) => readPerson(deps, idOf(2), { reader: ADMINISTRATOR }),
    ['users_by_referrer'],
    1_000,
  ],
  'the first rows of the list of winners': [
    async ({ db, campaign }) => {
      const chunks = csvChunks(db, campaign.id, 'winners')
      await chunks.next() // the header
      assert.ok((await chunks.next()).value)
      await chunks.return(undefined)
    },
    ['users_pkey', 'claims_by_user', 'standings_pkey'],
    3_000,
  ],
  registering: [
    (deps) => {
      const input = { username: 'a-new-name', email: '5000@new.example', password: 'correct horse' }
      const client = { browser: 'x', cookie: undefined, network: '192.0.2.1', locale: 'en' } as const
      return register(deps, input, client)
    },
    ['registrations_by_email', 'codes_by_registration', 'codes_by_email', 'usernames_by_holder'],
  ],
  'deleting the registrations of a verified email': [
    ({ db }) => inTransaction(db, (tx) => deletePendingRegistrations(tx, '6000@new.example')),
    ['registrations_by_email', 'codes_by_registration', 'usernames_by_holder'],
  ],
  'requesting a reset code': [
    (deps) => sendResetCode(deps, `${ROWS + 5}@mail.example`, { network: '192.0.2.1' }),
    ['codes_by_email'],
  ],
  'purging expired registrations': [
    ({ db }) => purgeExpired(db),
    ['registrations_by_expiry', 'codes_by_registration'],
  ],
  'whether an administrator is the last': [
    ({ db }) => inTransaction(db, (tx) => refuseIfLast(tx, idOf(2))),
    ['users_administrators'],
  ],
  'banning a participant': [
    (deps) =>
      ban(deps, {
        userId: idOf(801),
        reason: 'A test.',
        revokesApproval: false,
        by: { userId: ADMINISTRATOR },
      }),
    ['users_pkey', 'claims_by_user', 'slots_one_a_person', 'waiting_list_pkey', 'standings_pkey'],
  ],
  'deleting an account': [
    (deps) => deleteAccount(deps, { userId: idOf(1203), by: ADMINISTRATOR }),
    [
      'claims_by_user',
      'claim_identifiers_by_claim',
      'evidence_pkey',
      'claim_events_by_claim',
      'network_visits_pkey',
      'clusters_members',
      'proven_wallets_pkey',
      'telegram_accounts_pkey',
      'jobs_recipients',
      'journal_by_subject',
      'journal_by_actor',
    ],
    // Reads all messages to sign. They have no index by participant, because they last only minutes.
    ROWS / 5,
  ],
}
