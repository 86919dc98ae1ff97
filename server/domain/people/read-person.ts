import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Role } from '#contract/entities.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { AccountState } from '#contract/dashboard/people.ts'
import type { Person } from '#contract/dashboard/person.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Users } from '#server/platform/database/database.types.ts'
import { refuse } from '#server/platform/refusal.ts'
import { readFrozenWallet } from '../payouts/own-payout.ts'
import { readCluster } from '../signals/read-signals.ts'
import { readTelegramAccount } from '../telegram/account.ts'
import { readProvenWallet } from '../wallets/proven-wallet.ts'
import { ACCOUNT_STATE } from './list-people.ts'
import {
  readClaimsOf,
  readEntriesAbout,
  readLedgerOf,
  readMailsTo,
  readReferrals,
  readSessions,
} from './person-records.ts'

/** In each list except the claims and the sessions. */
const MAX_ENTRIES = 50
/** Each claim takes several queries. */
const MAX_CLAIMS = 20

/**
 * @param reader the administrator; null for the operator on the command line.
 * @throws refusal `person_not_found`.
 */
export async function readPerson(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  userId: string,
  { reader, locale = DEFAULT_LOCALE }: { reader: string | null; locale?: Locale },
): Promise<Person> {
  const account = await readAccount(db, campaign.id, userId)
  const [claims, ledger, journal, mails, sessions, referrals] = await Promise.all([
    readClaimsOf(db, userId, MAX_CLAIMS, locale),
    readLedgerOf(db, userId, MAX_ENTRIES),
    readEntriesAbout(db, userId, { limit: MAX_ENTRIES, includesOwnActions: false }),
    account.email === '' ? [] : readMailsTo(db, account.email, MAX_ENTRIES), // Deleted accounts have none.
    readSessions(db, userId),
    readReferrals(db, campaign.id, userId, MAX_ENTRIES),
  ])
  const claim = claims.find((each) => each.campaign === campaign.id)
  const [cluster, provenWallet, telegram, frozenWallet] = await Promise.all([
    claim ? readCluster(db, claim._id, locale) : null,
    readProvenWallet(db, campaign.id, userId),
    readTelegramAccount(db, userId),
    readFrozenWallet(db, campaign.id, userId),
  ])
  return {
    ...account,
    isSelf: userId === reader,
    claims,
    ledger,
    journal,
    mails,
    sessions,
    referrals,
    cluster,
    provenWallet,
    telegram,
    frozenWallet,
  }
}

type StoredAccount = Selectable<Users> & {
  state: AccountState
  offered_by: string | null
  points: Person['points']
  slot: number | null
  slot_state: 'claimed' | 'kept' | 'reserved' | null
  /** While a slot is kept for an appeal, 'infinity', which the driver reads as a number. */
  slot_until: Date | number | null
  waiting_since: Date | null
}

/** Uses primary keys and the index `slots_one_a_person`. */
const accountOf = (campaignId: string, userId: string): RawBuilder<StoredAccount> => sql`
  select u.*, ${ACCOUNT_STATE} as state, o.username as offered_by, l.number as slot, l.state as slot_state,
    l.until as slot_until, w.since as waiting_since, jsonb_build_object('pf', coalesce(s.pf, 0),
      'pls', coalesce(s.pls, 0), 'referral', coalesce(s.referral, 0), 'total', coalesce(s.total, 0)) as points
  from users u
  left join users o on o.id = u.role_offered_by
  left join standings s on s.campaign_id = ${campaignId} and s.user_id = u.id
  left join slots l on l.campaign_id = ${campaignId} and l.user_id = u.id
  left join waiting_list w on w.campaign_id = ${campaignId} and w.user_id = u.id
  where u.id = ${userId}`

/** @throws refusal `person_not_found`. */
export async function readAccount(db: Database, campaignId: string, userId: string) {
  const { rows } = await accountOf(campaignId, userId).execute(db)
  const [stored] = rows
  if (!stored) throw refuse('person_not_found')
  const { banned_at, deleted_at, role_offered_at, state, slot, slot_state, slot_until } = stored
  const until = slot_until instanceof Date ? slot_until.toISOString() : null
  return {
    _id: stored.id,
    username: stored.username,
    email: stored.email,
    role: stored.role as Role,
    state,
    registeredAt: stored.created_at.toISOString(),
    ban: banned_at && state === 'banned' ? { at: banned_at.toISOString(), reason: stored.ban_reason } : null,
    deletedAt: deleted_at?.toISOString() ?? null,
    roleOffer: role_offered_at && { at: role_offered_at.toISOString(), by: stored.offered_by },
    referralCode: state === 'deleted' ? '' : stored.referral_code,
    locale: stored.locale,
    wantsAnnouncements: stored.announcements_at !== null,
    arrivedFrom: stored.arrived_from,
    points: stored.points,
    slot: slot === null || slot_state === null ? null : { number: slot, state: slot_state, until },
    waitingSince: stored.waiting_since?.toISOString() ?? null,
  }
}
