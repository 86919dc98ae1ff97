import * as z from 'zod/mini'
import { PersonalData } from '../accounts/own-account.ts'
import { Evidence } from '../claims/evidence.ts'
import { Rejection, TimelineEntry } from '../claims/claim-history.ts'
import { ClaimStatus, MessageReply, Role } from '../entities.ts'
import { JournalEntry } from '../journal.ts'
import { Proof } from '../claims/proof.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { Uuid } from '../protocol/parameters.ts'
import { plainText } from '../protocol/fields.ts'
import { Cluster, Signal } from '../claims/signals.ts'
import { AccountState } from './people.ts'

const PersonClaim = z.object({
  _id: z.string(),
  campaign: z.string(),
  attempt: z.number(),
  status: ClaimStatus,
  ...Proof.shape,
  submittedAt: z.string(),
  decidedAt: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  rejection: z.nullable(Rejection),
  /** Why the claim is held, as sentences; empty if it is not. */
  heldFor: z.array(z.string()),
  risk: z.number(),
  evidence: z.array(Evidence),
  signals: z.array(Signal),
  appeal: z.nullable(z.object({ text: z.string(), at: z.string(), isAnswered: z.boolean() })),
  timeline: z.array(TimelineEntry),
})
export type PersonClaim = z.output<typeof PersonClaim>

const NamedAccount = z.object({ _id: z.string(), username: z.string() })

const SentMail = z.object({
  template: z.string(),
  queuedAt: z.string(),
  state: z.enum(['queued', 'sent', 'given_up']),
  /** When it was sent or given up. */
  endedAt: z.nullable(z.string()),
  attempts: z.number(),
  /** Why the last attempt failed. */
  trouble: z.nullable(z.string()),
})
export type SentMail = z.output<typeof SentMail>

const LedgerRow = z.object({
  at: z.string(),
  campaign: z.string(),
  /** `pf`: points in the token; `pls`: points in the coin. */
  kind: z.enum(['pf', 'pls', 'referral']),
  /** Negative for a reversal. */
  amount: z.number(),
  claimId: z.string(),
})

/** All that administrators may know of an account. Lists have the newest 50 unless they say otherwise. */
const Person = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  role: Role,
  state: AccountState,
  registeredAt: z.string(),
  ban: z.nullable(z.object({ at: z.string(), reason: z.nullable(z.string()) })),
  deletedAt: z.nullable(z.string()),
  roleOffer: z.nullable(z.object({ at: z.string(), by: z.nullable(z.string()) })),
  referralCode: z.string(),
  /** Null until one was chosen. */
  locale: z.nullable(z.string()),
  wantsAnnouncements: z.boolean(),
  /** The host of the page that led to the registration; null if unknown. */
  arrivedFrom: z.nullable(z.string()),
  isSelf: z.boolean(),
  points: z.object({ pf: z.number(), pls: z.number(), referral: z.number(), total: z.number() }),
  slot: z.nullable(
    z.object({
      number: z.number(),
      /** `claimed`: taken by a claim; `kept` after a rejection; or `reserved` from the waiting list. */
      state: z.enum(['claimed', 'kept', 'reserved']),
      /** When a kept or reserved slot is freed; null if it is not going to be. */
      until: z.nullable(z.string()),
    }),
  ),
  waitingSince: z.nullable(z.string()),
  /** Newest first, at most 20. */
  claims: z.array(PersonClaim),
  ledger: z.array(LedgerRow),
  journal: z.array(JournalEntry),
  mails: z.array(SentMail),
  /** Not expired, the most recently used first. */
  sessions: z.array(
    z.object({
      startedAt: z.string(),
      lastSeenAt: z.string(),
      inBrowser: z.boolean(),
      /** Browser family and system, as in `Firefox on Linux`; null if unknown. */
      device: z.nullable(z.string()),
      /** The network of the login, without its last part; null if unknown. */
      network: z.nullable(z.string()),
    }),
  ),
  referrals: z.object({
    invitedBy: z.nullable(NamedAccount),
    count: z.number(),
    invited: z.array(z.extend(NamedAccount, { claimStatus: z.nullable(ClaimStatus) })),
  }),
  cluster: z.nullable(Cluster),
  provenWallet: z.nullable(z.object({ address: z.string(), since: z.string() })),
  telegram: z.nullable(z.object({ username: z.nullable(z.string()), since: z.string() })),
  /** The wallet that receives this account's share in the frozen payout. */
  frozenWallet: z.nullable(z.string()),
})
export type Person = z.output<typeof Person>

const PersonParams = z.strictObject({ userId: Uuid })

export const person = endpoint('GET /people/:userId', {
  access: 'admin',
  summary: 'One account with its claims, points, emails, sessions, referrals, cluster and journal entries.',
  params: PersonParams,
  reply: z.object({ data: Person }),
  refusals: ['person_not_found'],
})

export const MAX_BAN_REASON_LENGTH = 500

export const banPerson = endpoint('POST /people/:userId/ban', {
  access: 'admin',
  summary:
    'Ban an account: ends its sessions, takes it off the leaderboard, rejects its undecided claims and frees their slots. Emails the reason.',
  params: PersonParams,
  body: z.strictObject({
    /** Shown to the person. */
    reason: plainText(1, MAX_BAN_REASON_LENGTH),
    /** Also revokes approvals: reverses their points and frees their slots. Not in archived campaigns. */
    revokesApproval: z._default(z.boolean(), false),
  }),
  reply: MessageReply,
  refusals: ['person_not_found', 'person_deleted', 'already_banned', 'own_account', 'last_administrator'],
})

export const unbanPerson = endpoint('POST /people/:userId/unban', {
  access: 'admin',
  summary:
    'Lift a ban. A claim that the ban rejected returns to review if a slot is free; otherwise its participant gets the next slot.',
  params: PersonParams,
  reply: MessageReply,
  refusals: ['person_not_found', 'person_deleted', 'not_banned', 'own_account'],
})

export const changeRole = endpoint('PUT /people/:userId/role', {
  access: 'admin',
  summary:
    'Offer the administrator role, which the person accepts by setting a new password, or take it back: `user` withdraws an offer or removes the role.',
  params: PersonParams,
  body: z.strictObject({ role: Role }),
  reply: MessageReply,
  refusals: [
    'person_not_found',
    'person_deleted',
    'already_banned',
    'own_account',
    'last_administrator',
    'role_unchanged',
  ],
})

export const exportPerson = endpoint('POST /people/:userId/export', {
  access: 'admin',
  summary: 'A person’s copy of their own data. The export is journaled.',
  limits: [{ per: 'account', take: 30, seconds: 3600 }],
  params: PersonParams,
  reply: z.object({ data: PersonalData }),
  refusals: ['person_not_found', 'person_deleted'],
})

export const deletePerson = endpoint('POST /people/:userId/delete', {
  access: 'admin',
  summary:
    'Delete an account at the request of its owner, who gets a confirmation by email. Cannot be undone.',
  params: PersonParams,
  /** The account's username, typed. */
  body: z.strictObject({ confirmation: z.string().check(z.maxLength(100, 'text_long')) }),
  reply: MessageReply,
  refusals: ['person_not_found', 'person_deleted', 'administrator_account'],
})
