import * as z from 'zod/mini'
import { MessageReply } from '../entities.ts'
import { LOCALES } from '../locales.ts'
import { endpoint } from '../protocol/endpoint.ts'

const Setting = z.object({
  /** The path in the campaign file, such as `airdrop.closesAt`. A list is one setting. */
  path: z.string(),
  /** The value in effect; null if the campaign has none or sets it to null. */
  value: z.unknown(),
  /** The languages, besides the default one, into which the texts of this setting are translated. */
  languages: z.array(z.enum(LOCALES)),
  source: z.enum(['file', 'override']),
  /** The value in the campaign file; null if it has none or sets it to null. */
  fileValue: z.unknown(),
  /** When the override was set (ISO 8601); null without one. */
  changedAt: z.nullable(z.string()),
  /** The administrator's username; null without an override, or if the command line set it. */
  changedBy: z.nullable(z.string()),
  /**
   * What participants were promised, as the end of a sentence that begins with the setting's name: “must stay
   * the same …”. Null while the setting may be changed freely.
   */
  promise: z.nullable(z.string()),
})
export type Setting = z.output<typeof Setting>

const Settings = z.object({
  campaignId: z.string(),
  /** Increases with every change. A change names the revision that it is based on. */
  revision: z.number(),
  settings: z.array(Setting),
  /** Overrides that do not fit this program or the campaign file. The file's values are in effect instead. */
  ignored: z.array(z.object({ path: z.string(), value: z.unknown(), problem: z.string() })),
})
export type Settings = z.output<typeof Settings>

const Path = z.string().check(z.minLength(1, 'required'), z.maxLength(100, 'text_long'))

/** Sets an override, whose value may be null, or removes it: then the campaign file's value is in effect. */
export type Change = { path: string; value: unknown } | { path: string; unset: true }

/** The schema of {@link Change}. Not a `z.union`, whose code every visitor would load. */
const AnyChange = z
  .strictObject({ path: Path, value: z.optional(z.unknown()), unset: z.optional(z.literal(true)) })
  // Either `value` or `unset`.
  .check(z.refine((change) => 'value' in change !== 'unset' in change, 'required'))

const MAX_CHANGES = 200
const Changes = z.array(AnyChange).check(z.minLength(1, 'required'), z.maxLength(MAX_CHANGES, 'too_many'))

/** The schema requires either `value` or `unset`, but its type does not say so. */
export const narrowChanges = (changes: z.output<typeof Changes>) => changes as Change[]

/** More than all texts of a campaign need. */
const MAX_BODY_BYTES = 256 * 1024

export const settings = endpoint('GET /settings', {
  access: 'admin',
  summary: 'Every editable value of the campaign, with its source.',
  reply: z.object({ data: Settings }),
})

export const changeSettings = endpoint('PUT /settings', {
  access: 'admin',
  summary:
    'Override values of the campaign file, or return to them. Either all changes are applied or none. A text that is as before keeps its translations; a new one is shown in every language, or is given for each, as `{ "en": "…", "es": "…" }`. `fields` explains each invalid value, by its path.',
  limits: [{ per: 'account', take: 120, seconds: 3600 }],
  bodyLimit: MAX_BODY_BYTES,
  body: z.strictObject({ revision: z.int('number_format'), changes: Changes }),
  reply: z.extend(MessageReply, { data: Settings }),
  refusals: ['settings_changed', 'promise_broken'],
})

export const PREVIEW_PAGES = [
  '/',
  '/about',
  '/tokenomics',
  '/howtobuy',
  '/roadmap',
  '/rules',
  '/privacy',
] as const
export type PreviewPage = (typeof PREVIEW_PAGES)[number]

export const previewSettings = endpoint('POST /settings/preview', {
  access: 'admin',
  summary:
    'Preview a page with these changes, without scripts, to be shown in a frame. Nothing is saved; `fields` explains each invalid value, by its path.',
  // The dashboard calls it after each pause in typing.
  limits: [{ per: 'account', take: 3000, seconds: 3600 }],
  invalidatesCacheOf: [], // no public answer changes
  bodyLimit: MAX_BODY_BYTES,
  body: z.strictObject({
    page: z.enum(PREVIEW_PAGES),
    changes: z.array(AnyChange).check(z.maxLength(MAX_CHANGES, 'too_many')),
  }),
  reply: z.object({ data: z.object({ html: z.string() }) }),
  refusals: ['unavailable'],
})

export const exportSettings = endpoint('GET /settings/export', {
  access: 'admin',
  summary: 'The current campaign as a campaign file.',
  query: z.strictObject({ format: z._default(z.enum(['ts', 'json']), 'ts') }),
  reply: z.string(),
  file: { name: 'campaign.config.ts', type: 'text/plain; charset=utf-8' },
})
