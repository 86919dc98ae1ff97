import { sql } from 'kysely'
import type { PersonalData } from '#contract/accounts/own-account.ts'
import { DEFAULT_LOCALE, localeNamed } from '#contract/locales.ts'
import type { Deps } from '#server/deps.ts'
import { record } from '#server/domain/journal/record.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import { verifyCurrentPassword } from '../accounts/password/password.ts'
import type { ChangedBy } from '../accounts/roles/administrators.ts'
import {
  readClaimsOf,
  readEntriesAbout,
  readLedgerOf,
  readMailsTo,
  readReferrals,
  readSessions,
} from './person-records.ts'
import { readFrozenWallet } from '../payouts/own-payout.ts'
import { readAccount } from './read-person.ts'

/** More than any list has, unless a program made the entries. */
const MAX_ENTRIES = 5_000

/** For the right of access (GDPR). @throws refusal `current_password_wrong`. */
export async function exportOwnData(deps: Deps, { userId }: Caller, password: string): Promise<PersonalData> {
  await verifyCurrentPassword(deps, userId, password, 'password')
  return readPersonalData(deps, userId)
}

/**
 * For a person who asked for a copy. The journal records the export.
 * @throws refusals `person_not_found` and `person_deleted`.
 */
export async function exportPerson(
  deps: Pick<Deps, 'db' | 'campaign'>,
  userId: string,
  by: ChangedBy,
): Promise<PersonalData> {
  const data = await readPersonalData(deps, userId)
  await inTransaction(deps.db, (tx) =>
    record(tx, { actor: by.userId, action: 'user.data_exported', subject: userId, network: by.network }),
  )
  return data
}

/**
 * Everything that is stored about a person, in the account's language. Leaves out the names of others
 * (reviewers, linked accounts, invited people) and hashes, which mean nothing to a reader.
 */
async function readPersonalData(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  userId: string,
): Promise<PersonalData> {
  const account = await readAccount(db, campaign.id, userId)
  if (account.state === 'deleted') throw refuse('person_deleted')
  const { invitedBy, count } = await readReferrals(db, campaign.id, userId, 0) // names none of the invited
  const { state: _state, roleOffer, ...accountFields } = account
  const locale = localeNamed(account.locale) ?? DEFAULT_LOCALE
  const claims = await readClaimsOf(db, userId, MAX_ENTRIES, locale)
  return {
    exportedAt: new Date().toISOString(),
    campaign: campaign.name,
    account: { ...accountFields, isAskedToAdminister: roleOffer !== null },
    claims: claims.map(({ decidedBy: _decidedBy, ...claim }) => claim),
    formerProofs: await readIdentifiers(db, userId),
    ledger: await readLedgerOf(db, userId, MAX_ENTRIES),
    referrals: { invitedBy: invitedBy?.username ?? null, invited: count },
    telegram: await readTelegramOf(db, userId),
    provenWallets: await readWallets(db, userId),
    networks: await readNetworkVisits(db, userId),
    frozenWallet: await readFrozenWallet(db, campaign.id, userId),
    emails: await readMailsTo(db, account.email, MAX_ENTRIES),
    sessions: await readSessions(db, userId),
    journal: await readOwnEntries(db, userId),
  }
}

/**
 * The wallets, handles and posts that a person's claims reserve, including those from before an edit.
 * Uses the index `claim_identifiers_by_claim`.
 */
async function readIdentifiers(db: Database, userId: string) {
  const { rows } = await sql<{ kind: string; value: string }>`
    select i.kind, i.value from claims c join claim_identifiers i on i.claim_id = c.id
    where c.user_id = ${userId} order by i.kind, i.value limit ${MAX_ENTRIES}`.execute(db)
  return rows
}

/** `id` is the Bot API's user id. */
async function readTelegramOf(db: Database, userId: string) {
  const account = await db
    .selectFrom('telegram_accounts')
    .select(['telegram_id as id', 'username', 'since'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return account ? { ...account, since: account.since.toISOString() } : null
}

async function readWallets(db: Database, userId: string) {
  const { rows } = await sql<{ campaign: string; address: string; kind: string; since: Date }>`
    select c.id as campaign, p.address, p.kind, p.since from campaigns c
    join proven_wallets p on p.campaign_id = c.id and p.user_id = ${userId} order by p.since`.execute(db)
  return rows
}

/** Leaves out the keyed hashes of networks. */
async function readNetworkVisits(db: Database, userId: string) {
  const { rows } = await sql<{ campaign: string; event: string; at: Date }>`
    select c.id as campaign, v.event, v.at from campaigns c
    join network_visits v on v.campaign_id = c.id and v.user_id = ${userId} order by v.at`.execute(db)
  return rows
}

/** Journal entries about and by a person. Leaves out other actors' names and networks. */
async function readOwnEntries(db: Database, userId: string) {
  const entries = await readEntriesAbout(db, userId, { limit: MAX_ENTRIES, includesOwnActions: true })
  return entries.map(({ at, action, actor, subject, before, after, details }) => {
    const isOwn = actor === userId
    const { network, ...otherDetails } = details ?? {}
    return {
      at,
      action,
      by: isOwn ? 'you' : actor === null ? 'the program or the operator' : 'an administrator',
      subject,
      before,
      after,
      details: isOwn && network !== undefined ? { network, ...otherDetails } : otherDetails,
    }
  })
}
