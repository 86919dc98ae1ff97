import { isIP } from 'node:net'
import { couldNotTell, judged } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'
import { WORDS } from '../words.ts'

const { sender: words } = WORDS

/** What receiving mail servers look at: SPF and DMARC of the domain that emails come from. */
export const sender: Check = {
  name: 'sender',
  needs: ['MAIL_FROM', 'PUBLIC_URL'],
  async examine({ environment, resolver }) {
    const domain = domainOf(environment.config.mailFrom)
    if (!isPublic(domain)) return couldNotTell(words.notPublic(domain))
    try {
      const [spf, dmarc] = await Promise.all([
        readRecords(resolver, domain, /^v=spf1( |$)/i),
        findPolicy(resolver, domain),
      ])
      return judged(
        [...spfProblems(domain, spf), ...(dmarc ? [] : [words.noDmarc(domain)])],
        words.fine(domain),
        [...(/;\s*p\s*=\s*none/i.test(dmarc ?? '') ? [words.noPolicy] : []), words.dkim],
      )
    } catch (error) {
      return couldNotTell(words.noAnswer(domain, (error as NodeJS.ErrnoException).code ?? 'failed'))
    }
  },
}

const domainOf = (mailbox: string) =>
  mailbox
    .slice(mailbox.lastIndexOf('@') + 1)
    .replace(/>\s*$/, '')
    .toLowerCase()

const isPublic = (domain: string) =>
  isIP(domain.replace(/^\[|\]$/g, '')) === 0 &&
  domain.includes('.') &&
  !/\.(localhost|local|test|example|invalid|internal)$/.test(domain)

type Resolve = Subject['resolver']

/** The answers that say that there is no such record. Any other failure says nothing. */
const NONE = new Set(['ENOTFOUND', 'ENODATA'])

/** TXT records of a kind; a long one comes in pieces. */
async function readRecords(resolver: Resolve, name: string, kind: RegExp): Promise<string[]> {
  try {
    return (await resolver.resolveTxt(name))
      .map((pieces) => pieces.join(''))
      .filter((text) => kind.test(text))
  } catch (error) {
    if (NONE.has((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** The policy of the domain, or of one above it, which covers it too. */
async function findPolicy(resolver: Resolve, domain: string): Promise<string | undefined> {
  const labels = domain.split('.')
  for (let first = 0; first < labels.length - 1; first += 1) {
    const name = `_dmarc.${labels.slice(first).join('.')}`
    const [policy] = await readRecords(resolver, name, /^v=DMARC1\s*;/i)
    if (policy !== undefined) return policy
  }
  return undefined
}

function spfProblems(domain: string, records: readonly string[]): string[] {
  if (records.length > 1) return [words.severalSpf(domain)]
  const [record] = records
  if (record === undefined) return [words.noSpf(domain)]
  return /\s\+?all\s*$/i.test(record) ? [words.openSpf(domain)] : []
}
