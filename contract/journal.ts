import * as z from 'zod/mini'
import { endpoint } from './protocol/endpoint.ts'
import { moment } from './protocol/fields.ts'
import { Uuid, wholeNumber } from './protocol/parameters.ts'

/** IDs, lower-case words, digests, times and numbers: no personal data. */
const Impersonal = z.nullable(z.record(z.string(), z.unknown()))
const Digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** An entry of the journal. Erasing its `details` does not break the chain of hashes that seals entries. */
export const JournalEntry = z.object({
  id: z.string(),
  /** The position in the journal, from 1. Null, like `hash`, until it is sealed after about a second. */
  number: z.nullable(z.number()),
  hash: z.nullable(z.string()),
  /** UTC with microseconds. */
  at: z.string(),
  /** The id of the user who acted; null for the command line and for automatic actions. */
  actor: z.nullable(z.string()),
  actorName: z.nullable(z.string()),
  action: z.string(),
  subject: z.nullable(z.string()),
  before: Impersonal,
  after: Impersonal,
  /** Origin, reasons and texts; null if there are none or they were erased. */
  details: z.nullable(z.record(z.string(), z.unknown())),
})
export type JournalEntry = z.output<typeof JournalEntry>

const Moment = z.pipe(
  moment('moment_format'),
  z.transform((text: string) => new Date(text)),
)

export const journal = endpoint('GET /journal', {
  access: 'admin',
  summary: 'Decisions, credits, reversals, role and settings changes, and exports; newest first.',
  query: z.strictObject({
    action: z.optional(z.string().check(z.regex(/^[a-z]{1,40}\.[a-z_]{1,40}$/, 'action_format'))),
    actor: z.optional(Uuid),
    subject: z.optional(Uuid),
    from: z.optional(Moment),
    /** Exclusive. */
    to: z.optional(Moment),
    /** `next` of the previous page. */
    cursor: z.optional(Uuid),
    limit: wholeNumber(1, 100, 50),
  }),
  reply: z.object({ data: z.array(JournalEntry), next: z.nullable(z.string()) }),
})

/** A line of an exported journal; docs/operating.md defines its hash. */
const Line = z.object({
  number: z.number(),
  previous: Digest,
  id: z.string(),
  at: z.string(),
  actor: z.nullable(z.string()),
  action: z.string(),
  subject: z.nullable(z.string()),
  before: Impersonal,
  after: Impersonal,
  commitment: z.nullable(Digest), // of `details`
  hash: Digest,
  details: z.optional(z.object({ salt: Digest, content: z.unknown() })),
})

export const exportJournal = endpoint('GET /journal/export', {
  access: 'admin',
  summary:
    'All sealed entries as newline-delimited JSON, verifiable offline. The export itself is journaled.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  query: z.strictObject({
    /** `false` omits personal data; the export remains verifiable. */
    details: z.prefault(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text: 'true' | 'false') => text === 'true'),
      ),
      'true',
    ),
  }),
  reply: Line,
  lines: 'journal.ndjson',
})

/** The public address of the journal's heads. */
export const HEADS_PATH = '/journal.json'

/** A head: the hash of the newest sealed entry at the start of a day (UTC), with that entry's number. */
export type PublishedHead = {
  /** YYYY-MM-DD. */
  day: string
  number: number
  /** Hexadecimal. */
  hash: string
}

/** The value of `--head` in `npm run journal -- verify`. */
export const headText = ({ hash, number }: PublishedHead) => `${hash}@${number}`
