import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Uuid, wholeNumber } from './parameters.ts'

/** Ids, lower-case words, digests, moments and numbers; nothing personal. */
const Impersonal = z.nullable(z.record(z.string(), z.unknown()))
const Digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** Who did what to whom. What is sealed, and beside it what may be erased. */
export const JournalEntry = z.object({
  id: z.string(),
  /** Its place in the chain, counted from 1; null in the second before it is sealed. */
  number: z.nullable(z.number()),
  hash: z.nullable(z.string()),
  /** UTC to the microsecond. */
  at: z.string(),
  /**
   * An administrator, or a participant who did it to their own account; null for the operator at the machine, and
   * for what the program does by itself.
   */
  actor: z.nullable(z.string()),
  actorName: z.nullable(z.string()),
  action: z.string(),
  subject: z.nullable(z.string()),
  before: Impersonal,
  after: Impersonal,
  /** Where from, reasons, texts; null where there are none or they were erased. */
  details: z.nullable(z.record(z.string(), z.unknown())),
})
export type JournalEntry = z.output<typeof JournalEntry>

const Moment = z.pipe(
  z.iso.datetime({ offset: true, error: 'moment_format' }),
  z.transform((text: string) => new Date(text)),
)

export const journal = endpoint({
  method: 'GET',
  path: '/journal',
  access: 'admin',
  summary: 'Decisions, credits, reversals, changes of roles and settings, exports: newest first.',
  query: z.strictObject({
    action: z.optional(z.string().check(z.regex(/^[a-z]{1,40}\.[a-z_]{1,40}$/, 'action_format'))),
    actor: z.optional(Uuid),
    subject: z.optional(Uuid),
    from: z.optional(Moment),
    /** Not included. */
    to: z.optional(Moment),
    /** `next` of the page before. */
    cursor: z.optional(Uuid),
    limit: wholeNumber(1, 100, 50),
  }),
  reply: { status: 200, body: z.object({ data: z.array(JournalEntry), next: z.nullable(z.string()) }) },
  refusals: [],
})

/** A line of an exported journal; docs/operating.md says how its hash is made. */
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
  commitment: z.nullable(Digest),
  hash: Digest,
  details: z.optional(z.object({ salt: Digest, content: z.unknown() })),
})

export const exportJournal = endpoint({
  method: 'GET',
  path: '/journal/export',
  access: 'admin',
  summary: 'Everything that is sealed, as lines of JSON, to be verified by itself. The export is journalled.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  query: z.strictObject({
    /** `false` leaves out what is personal; the file can be verified all the same. */
    details: z.prefault(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text: 'true' | 'false') => text === 'true'),
      ),
      'true',
    ),
  }),
  reply: { status: 200, body: Line, lines: 'journal.ndjson' },
  refusals: [],
})

/** Where the ends of the chain are published, besides the page; for everybody. */
export const HEADS_PATH = '/journal.json'

/** The end of the chain as it was when a day (UTC) began. */
export type PublishedHead = {
  /** YYYY-MM-DD. */
  day: string
  number: number
  /** Hexadecimal. */
  hash: string
}
