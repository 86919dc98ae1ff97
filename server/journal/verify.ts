import { commitmentOf, digest, GENESIS, hashOf, type Line } from './chain.ts'

/** A head that was published: the hash of the entry with that number. */
export type Head = { number: number; hash: string }

export type Verdict =
  | { ok: true; head: Head; withoutDetails: number }
  /** The first line at which the file departs from what was sealed; it may lie just after the last one. */
  | { ok: false; line: number; why: string }

/**
 * Checks an exported journal by itself: every entry follows the one before it, and details are those that were
 * sealed. With a published head it also tells a chain that was made anew, or that ends too early.
 * @param lines of NDJSON, from the first entry on; held one at a time.
 */
export async function verifyJournal(lines: AsyncIterable<string>, published?: Head): Promise<Verdict> {
  const reader = lines[Symbol.asyncIterator]()
  let last: Head = { number: 0, hash: GENESIS }
  let withoutDetails = 0
  for (let line = 1; ; line += 1) {
    const next = await reader.next()
    if (next.done) break
    const entry = parse(next.value)
    if (!entry) return { ok: false, line, why: 'it is not an entry: it was added or edited' }
    if (entry.number > last.number + 1)
      return { ok: false, line, why: await missing(last.number + 1, reader) }
    if (isForged(entry, last)) return { ok: false, line: line - 1, why: `entry ${last.number} was edited` }
    const why = departure(entry, last, published)
    if (why !== undefined) return { ok: false, line, why }
    if (entry.commitment !== null && !entry.details) withoutDetails += 1
    last = { number: entry.number, hash: entry.hash }
  }
  if (published && last.number < published.number) {
    const why = `entry ${last.number + 1} is missing: the journal went on to ${published.number} at least`
    return { ok: false, line: last.number + 1, why }
  }
  return { ok: true, head: last, withoutDetails }
}

const KEYS = ['number', 'previous', 'id', 'at', 'actor', 'action', 'subject', 'before', 'after', 'commitment']
const LINE = digest([...KEYS, 'hash'].toSorted())

function parse(text: string): Line | undefined {
  try {
    const value = JSON.parse(text) as Line & Record<string, unknown>
    const keys = Object.keys(value).filter((key) => key !== 'details')
    const isWhole = digest(keys.toSorted()) === LINE && Number.isSafeInteger(value.number)
    return isWhole && isDetails(value.details) ? value : undefined
  } catch {
    return undefined
  }
}

const isDetails = (details: Line['details']) =>
  details === undefined || (typeof details?.salt === 'string' && Object.keys(details).length === 2)

/** An entry that seems to be missing may stand further down. */
async function missing(wanted: number, rest: AsyncIterator<string>): Promise<string> {
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    if (parse(next.value)?.number === wanted) return `entry ${wanted} was moved: it stands further down`
  }
  return `entry ${wanted} is missing`
}

/** Whether the line before got a new hash after it was edited: this one is whole, and names another. */
function isForged(entry: Line, last: Head): boolean {
  return (
    last.number > 0 &&
    entry.number > last.number &&
    entry.previous !== last.hash &&
    entry.hash === hashOf(entry)
  )
}

/** Why an entry cannot be the next one; undefined when it is. */
function departure(entry: Line, last: Head, published: Head | undefined): string | undefined {
  const wanted = last.number + 1
  if (entry.number < wanted) return `entry ${entry.number} was added, or moved here`
  if (entry.previous !== last.hash || entry.hash !== hashOf(entry)) return `entry ${wanted} was edited`
  if (entry.details && commitmentOf(entry.details) !== entry.commitment)
    return `the details of entry ${wanted} were edited`
  if (published?.number === wanted && published.hash !== entry.hash)
    return `entry ${wanted} is not the one that was published: it, or one before it, was edited`
  return undefined
}
