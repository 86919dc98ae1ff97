import * as z from 'zod/mini'
import { ClaimStatus, Role } from '../entities.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { SearchText, Uuid, wholeNumber } from '../protocol/parameters.ts'

export const AccountState = z.enum(['open', 'banned', 'deleted'])
export type AccountState = z.output<typeof AccountState>

/** `claimed`: with a claim in the campaign, in reverse order of the first claims. */
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
  /** Status of the latest claim in the campaign. */
  claimStatus: z.nullable(ClaimStatus),
  totalPoints: z.number(),
  clusterId: z.nullable(z.string()),
})
export type PersonRow = z.output<typeof PersonRow>

export const listPeople = endpoint('GET /people', {
  access: 'admin',
  summary:
    'Accounts, newest first. Searches by id, and by prefix of username, email, wallet and handle; `cluster` lists the accounts of one cluster.',
  query: z.strictObject({
    filter: z._default(PeopleFilter, 'all'),
    cluster: z.optional(Uuid),
    search: z.optional(SearchText),
    /** `next` of the previous page. */
    cursor: z.optional(Uuid),
    limit: wholeNumber(1, 100, 50),
  }),
  reply: z.object({
    data: z.array(PersonRow),
    next: z.nullable(z.string()),
    /** The search matched too many accounts to examine all; narrow it. */
    isSearchCut: z.boolean(),
  }),
})

/** `participants`: accounts that are not deleted. `winners`: with an approved claim, not banned. */
export const PeopleList = z.enum(['participants', 'winners'])
export type PeopleList = z.output<typeof PeopleList>

export const exportPeople = endpoint('GET /people/export', {
  access: 'admin',
  summary:
    'The participants or the winners of the campaign as CSV, with formulas neutralized. The export is journaled.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  query: z.strictObject({ list: z._default(PeopleList, 'participants') }),
  reply: z.unknown(),
  file: { name: 'people.csv', type: 'text/csv; charset=utf-8' },
})
