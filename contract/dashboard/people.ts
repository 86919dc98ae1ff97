import * as z from 'zod/mini'
import { Evidence } from '../claims/evidence.ts'
import { Rejection, TimelineEntry } from '../claims/claim-history.ts'
import { ClaimStatus, MessageReply, Role } from '../entities.ts'
import { JournalEntry } from '../journal.ts'
import { Proof } from '../claims/proof.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { GivenPassword, NewPassword } from '../protocol/fields.ts'
import { Uuid, wholeNumber } from '../protocol/parameters.ts'
import { plainText } from '../protocol/plain-text.ts'
import { Cluster, Signal } from '../claims/signals.ts'

/** Whether an account can be used. */
const AccountState = z.enum(['open', 'banned', 'deleted'])
export type AccountState = z.output<typeof AccountState>

/** `claimed`: with a claim in the campaign, in the order of their first attempts, newest first. */
export const PeopleFilter = z.enum(['all', 'claimed', 'banned', 'administrators'])
export type PeopleFilter = z.output<typeof PeopleFilter>

/** An account in the list of people. Times are ISO. */
const PersonRow = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  role: Role,
  state: AccountState,
  registeredAt: z.string(),
  /** Of the latest claim in the campaign. */
  claimStatus: z.nullable(ClaimStatus),
  totalPoints: z.number(),
  /** The cluster that the account belongs to. */
  clusterId: z.nullable(z.string()),
})
export type PersonRow = z.output<typeof PersonRow>

export const listPeople = endpoint({
  method: 'GET',
  path: '/people',
  access: 'admin',
  summary:
    'Accounts, newest first. Searches by id, and by prefix of username, email, wallet and handle; `cluster` lists the accounts of one cluster.',
  query: z.strictObject({
    filter: z._default(PeopleFilter, 'all'),
    cluster: z.optional(Uuid),
    search: z.optional(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(2, 'search_short'),
          z.maxLength(320, 'text_long'),
          z.regex(/^\P{Cc}*$/u, 'text_format'),
        ),
    ),
    /** `next` of the previous page. */
    cursor: z.optional(Uuid),
    limit: wholeNumber(1, 100, 50),
  }),
  reply: {
    status: 200,
    body: z.object({
      data: z.array(PersonRow),
      next: z.nullable(z.string()),
      /** The search matched too many accounts to examine all; narrow it. */
      isSearchCut: z.boolean(),
    }),
  },
  refusals: [],
})

/** `participants`: all accounts; `winners`: those with an approved claim that a payout would pay. */
export const PeopleList = z.enum(['participants', 'winners'])
export type PeopleList = z.output<typeof PeopleList>

export const exportPeople = endpoint({
  method: 'GET',
  path: '/people/export',
  access: 'admin',
  summary:
    'The participants or the winners of the campaign as CSV, with formulas neutralized. The export is journaled.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  query: z.strictObject({ list: z._default(PeopleList, 'participants') }),
  reply: { status: 200, body: z.unknown(), file: { name: 'people.csv', type: 'text/csv; charset=utf-8' } },
  refusals: [],
})

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
  kind: z.enum(['pf', 'pls', 'referral']),
  /** Negative for a reversal. */
  amount: z.number(),
  claimId: z.string(),
})

/** Everything that administrators may know of one account. Lists have the newest entries first, at most 50. */
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
  /** The language of the account; null until one was chosen. */
  locale: z.nullable(z.string()),
  wantsAnnouncements: z.boolean(),
  /** The host that led to the registration, if it is known. */
  arrivedFrom: z.nullable(z.string()),
  /** The caller's own account. */
  isSelf: z.boolean(),
  points: z.object({ pf: z.number(), pls: z.number(), referral: z.number(), total: z.number() }),
  slot: z.nullable(
    z.object({
      number: z.number(),
      state: z.enum(['claimed', 'kept', 'reserved']),
      until: z.nullable(z.string()),
    }),
  ),
  waitingSince: z.nullable(z.string()),
  /** Newest first, at most 20. */
  claims: z.array(PersonClaim),
  ledger: z.array(LedgerRow),
  journal: z.array(JournalEntry),
  mails: z.array(SentMail),
  sessions: z.array(z.object({ startedAt: z.string(), lastSeenAt: z.string(), inBrowser: z.boolean() })),
  referrals: z.object({
    invitedBy: z.nullable(NamedAccount),
    count: z.number(),
    invited: z.array(z.extend(NamedAccount, { claimStatus: z.nullable(ClaimStatus) })),
  }),
  cluster: z.nullable(Cluster),
  provenWallet: z.nullable(z.object({ address: z.string(), since: z.string() })),
  telegram: z.nullable(z.object({ username: z.nullable(z.string()), since: z.string() })),
  /** The wallet of the frozen allocation that pays this account. */
  frozenWallet: z.nullable(z.string()),
})
export type Person = z.output<typeof Person>

const userId = z.strictObject({ userId: Uuid })

export const person = endpoint({
  method: 'GET',
  path: '/people/:userId',
  access: 'admin',
  summary: 'One account with its claims, points, emails, sessions, referrals, cluster and journal entries.',
  params: userId,
  reply: { status: 200, body: z.object({ data: Person }) },
  refusals: ['person_not_found'],
})

export const BAN_REASON_LENGTH = 500

export const banPerson = endpoint({
  method: 'POST',
  path: '/people/:userId/ban',
  access: 'admin',
  summary:
    'Ban an account: ends its sessions, takes it off the leaderboard, rejects its undecided claims and frees their slots. Emails the reason.',
  params: userId,
  body: z.strictObject({
    /** The person reads it. */
    reason: plainText(1, BAN_REASON_LENGTH),
    /** Also takes back approvals: reverses their points and frees their slots. */
    revokesApproval: z._default(z.boolean(), false),
  }),
  reply: { status: 200, body: MessageReply },
  refusals: ['person_not_found', 'person_deleted', 'already_banned', 'own_account', 'last_administrator'],
})

export const unbanPerson = endpoint({
  method: 'POST',
  path: '/people/:userId/unban',
  access: 'admin',
  summary:
    'Lift a ban. A claim that the ban rejected returns to review if a slot is free; otherwise its participant gets the next slot.',
  params: userId,
  reply: { status: 200, body: MessageReply },
  refusals: ['person_not_found', 'person_deleted', 'not_banned'],
})

export const changeRole = endpoint({
  method: 'PUT',
  path: '/people/:userId/role',
  access: 'admin',
  summary:
    'Offer the administrator role, which the person accepts by setting a new password, or take it back: `user` withdraws an offer or removes the role.',
  params: userId,
  body: z.strictObject({ role: Role }),
  reply: { status: 200, body: MessageReply },
  refusals: [
    'person_not_found',
    'person_deleted',
    'already_banned',
    'own_account',
    'last_administrator',
    'role_unchanged',
  ],
})

/** A copy of everything that is stored about a person, by section. */
const PersonalData = z.record(z.string(), z.unknown())
export type PersonalData = z.output<typeof PersonalData>

export const exportPerson = endpoint({
  method: 'POST',
  path: '/people/:userId/export',
  access: 'admin',
  summary: 'A person’s copy of their own data. The export is journaled.',
  limits: [{ per: 'account', take: 30, seconds: 3600 }],
  params: userId,
  reply: { status: 200, body: z.object({ data: PersonalData }) },
  refusals: ['person_not_found', 'person_deleted'],
})

export const deletePerson = endpoint({
  method: 'POST',
  path: '/people/:userId/delete',
  access: 'admin',
  summary:
    'Delete an account at the request of its owner, who gets a confirmation by email. Cannot be undone.',
  params: userId,
  /** The username of the account, typed. */
  body: z.strictObject({ confirmation: z.string().check(z.maxLength(100, 'text_long')) }),
  reply: { status: 200, body: MessageReply },
  refusals: ['person_not_found', 'person_deleted', 'administrator_account'],
})

/** The caller's own account, beyond their profile. */
const OwnAccount = z.object({
  /** The caller is asked to become an administrator. */
  isOfferedRole: z.boolean(),
  /** The caller's claim is approved: deleting the account forfeits its payout. */
  hasApprovedClaim: z.boolean(),
  /** The wallet of the frozen allocation, which stays public. */
  frozenWallet: z.nullable(z.string()),
  /** The language of the account, as a BCP 47 tag; null until one was chosen. */
  locale: z.nullable(z.string()),
})

export type OwnAccount = z.output<typeof OwnAccount>

export const ownAccount = endpoint({
  method: 'GET',
  path: '/users/me',
  access: 'participant',
  summary:
    'What deleting your account would remove, and whether you have been offered the administrator role.',
  reply: { status: 200, body: z.object({ data: OwnAccount }) },
  refusals: [],
})

/** Wrong passwords count: these calls must not become a way to guess one. */
const PASSWORD_LIMITS = [{ per: 'account', take: 10, seconds: 300 }] as const

export const exportOwnData = endpoint({
  method: 'POST',
  path: '/users/me/export',
  access: 'participant',
  summary: 'A copy of everything that is stored about you.',
  limits: PASSWORD_LIMITS,
  body: z.strictObject({ password: GivenPassword }),
  reply: { status: 200, body: z.object({ data: PersonalData }) },
  refusals: ['current_password_wrong'],
})

export const deleteOwnAccount = endpoint({
  method: 'POST',
  path: '/users/me/delete',
  access: 'participant',
  summary: 'Delete your account. Cannot be undone.',
  limits: PASSWORD_LIMITS,
  body: z.strictObject({
    password: GivenPassword,
    /** Your username, typed. */
    confirmation: z.string().check(z.maxLength(100, 'text_long')),
  }),
  reply: { status: 200, body: MessageReply },
  refusals: ['current_password_wrong', 'administrator_account'],
})

export const answerRoleOffer = endpoint({
  method: 'POST',
  path: '/users/me/role',
  access: 'participant',
  summary:
    'Accept the offer to become an administrator with a new password of at least 15 characters, which ends all sessions; or decline it.',
  limits: PASSWORD_LIMITS,
  // Not `z.discriminatedUnion`, which would be part of what every visitor loads.
  body: z
    .strictObject({
      answer: z.enum(['accept', 'decline']),
      currentPassword: z.optional(GivenPassword),
      newPassword: z.optional(NewPassword),
    })
    .check(
      z.refine(({ answer, ...passwords }) => (answer === 'accept') === 'newPassword' in passwords, {
        error: 'required',
        path: ['newPassword'],
      }),
      z.refine(({ answer, ...passwords }) => (answer === 'accept') === 'currentPassword' in passwords, {
        error: 'required',
        path: ['currentPassword'],
      }),
    ),
  reply: { status: 200, body: MessageReply },
  refusals: ['current_password_wrong', 'no_role_offer'],
})
