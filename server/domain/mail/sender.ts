import { createPublicKey } from 'node:crypto'
import type { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { DnsFinding } from '#contract/dashboard/mail.ts'
import { isLoopbackHost } from '#server/platform/http/security/loopback.ts'

export type TxtResolver = Pick<Resolver, 'resolveTxt'>

type SenderDomain = {
  domain: string
  /** The value of DKIM_SELECTOR. */
  selector: string | undefined
  /** The host in SMTP_URL. */
  server: string | undefined
}

/** @param mailbox an address, with or without a name before it. */
export const domainOf = (mailbox: string): string =>
  mailbox
    .slice(mailbox.lastIndexOf('@') + 1)
    .replace(/>\s*$/, '')
    .toLowerCase()

export const isPublicDomain = (domain: string): boolean =>
  isIP(domain.replace(/^\[|\]$/g, '')) === 0 &&
  domain.includes('.') &&
  !/\.(localhost|local|test|example|invalid|internal)$/.test(domain)

/** Checks what receiving mail servers look up. Never rejects: a failed look-up is `could_not_tell`. */
export function examineSender(resolver: TxtResolver, sender: SenderDomain): Promise<DnsFinding[]> {
  const checks = { spf: examineSpf, dkim: examineDkim, dmarc: examineDmarc }
  return Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const record = name as DnsFinding['record']
      if (!isPublicDomain(sender.domain)) return { record, ...inconclusive('not_public') }
      try {
        return { record, ...(await check(resolver, sender)) }
      } catch (error) {
        return { record, ...inconclusive((error as NodeJS.ErrnoException).code ?? 'failed') }
      }
    }),
  )
}

type Finding = Omit<DnsFinding, 'record'>
type RecordToPublish = DnsFinding['publish']

const finding = (
  outcome: Finding['outcome'],
  reason: string | null,
  found: string | null,
  publish: RecordToPublish = null,
): Finding => ({ outcome, reason, found, publish })
const inconclusive = (reason: string) => finding('could_not_tell', reason, null)
const fine = (found: string, reason: string | null = null) => finding('fine', reason, found)
const wrong = (reason: string, found: string | null, publish?: RecordToPublish) =>
  finding('wrong', reason, found, publish)
const txt = (name: string, value: string): RecordToPublish => ({ name, type: 'TXT', value })

async function examineSpf(resolver: TxtResolver, { domain, server }: SenderDomain): Promise<Finding> {
  const records = await readRecords(resolver, domain, /^v=spf1( |$)/i)
  const [record] = records
  if (record === undefined) {
    const mechanism = mechanismOf(server)
    return wrong('missing', null, mechanism ? txt(domain, `v=spf1 ${mechanism} -all`) : null)
  }
  if (records.length > 1) return wrong('several', records.join('\n'))
  if (/\s\+?all\s*$/i.test(record))
    return wrong('open', record, txt(domain, record.replace(/\s\+?all\s*$/i, ' -all')))
  return fine(record)
}

/** What mail services ask their customers to include in SPF, by the host of the mail server. */
const SPF_INCLUDES: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)(gmail|google)\.com$/, '_spf.google.com'],
  [/(^|\.)(office365|outlook)\.com$/, 'spf.protection.outlook.com'],
  [/(^|\.)amazonaws\.com$/, 'amazonses.com'],
  [/(^|\.)sendgrid\.net$/, 'sendgrid.net'],
  [/(^|\.)mailgun\.org$/, 'mailgun.org'],
  [/(^|\.)mailjet\.com$/, 'spf.mailjet.com'],
  [/(^|\.)(fastmail\.com|messagingengine\.com)$/, 'spf.messagingengine.com'],
]

function mechanismOf(server: string | undefined): string | undefined {
  const host = server?.replace(/^\[|\]$/g, '').toLowerCase()
  if (host === undefined || isLoopbackHost(host)) return undefined
  const version = isIP(host)
  if (version !== 0) return `ip${version}:${host}`
  const include = SPF_INCLUDES.find(([pattern]) => pattern.test(host))?.[1]
  return include === undefined ? undefined : `include:${include}`
}

/** Mail services refuse signatures with shorter keys. */
const MIN_RSA_BITS = 1024
const ED25519_BYTES = 32

async function examineDkim(resolver: TxtResolver, { domain, selector }: SenderDomain): Promise<Finding> {
  if (selector === undefined) return inconclusive('no_selector')
  const [record] = await readRecords(resolver, `${selector}._domainkey.${domain}`, /(^|;)\s*p=/i)
  if (record === undefined) return wrong('missing', null)
  const tag = (name: string) =>
    new RegExp(`(?:^|;)\\s*${name}=([^;]*)`, 'i').exec(record)?.[1]?.replaceAll(/\s/g, '')
  const key = tag('p') ?? ''
  if (key === '') return wrong('revoked', record) // An empty key, by RFC 6376.
  if (tag('k')?.toLowerCase() === 'ed25519')
    return Buffer.from(key, 'base64').length === ED25519_BYTES ? fine(record) : wrong('unreadable', record)
  const bits = bitsOf(key)
  if (bits === undefined) return wrong('unreadable', record)
  return bits < MIN_RSA_BITS ? wrong('short', record) : fine(record)
}

function bitsOf(key: string): number | undefined {
  try {
    const der = Buffer.from(key, 'base64')
    return createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyDetails?.modulusLength
  } catch {
    return undefined
  }
}

/** The domain's own policy (`p`) counts, or else the closest parent domain's policy for subdomains (`sp`). */
async function examineDmarc(resolver: TxtResolver, { domain }: SenderDomain): Promise<Finding> {
  const labels = domain.split('.')
  for (let levelsUp = 0; levelsUp < labels.length - 1; levelsUp += 1) {
    const name = `_dmarc.${labels.slice(levelsUp).join('.')}`
    const records = await readRecords(resolver, name, /^v=DMARC1\s*;/i)
    const [policy] = records
    if (policy === undefined) continue
    if (records.length > 1) return wrong('several', records.join('\n'))
    const tag = levelsUp > 0 && /;\s*sp\s*=/i.test(policy) ? 'sp' : 'p'
    return fine(policy, new RegExp(`;\\s*${tag}\\s*=\\s*none`, 'i').test(policy) ? 'policy_none' : null)
  }
  return wrong('missing', null, txt(`_dmarc.${domain}`, 'v=DMARC1; p=quarantine'))
}

/** Error codes for a name without records. After other errors, it may have records. */
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA'])

/** The TXT records of a name that match a pattern. DNS delivers a long record in pieces. */
async function readRecords(resolver: TxtResolver, name: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await resolver.resolveTxt(name))
      .map((pieces) => pieces.join(''))
      .filter((text) => pattern.test(text))
  } catch (error) {
    if (NO_RECORDS.has((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
