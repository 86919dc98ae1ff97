import { canonical, commitmentOf, GENESIS, hashOf, type Line } from './chain.ts'

export type Head = { number: number; hash: string }

export type Verification =
  | { ok: true; head: Head; withoutDetails: number }
  /** `line` is the number of the first line that differs or, if the end is missing, of the next line. */
  | { ok: false; line: number; why: string }

/**
 * Verifies that every entry of an exported journal names the hash of the one before, and that details match
 * their hashes. Only with a published head does it detect a chain that was cut off or hashed anew.
 * @param lines NDJSON from the first entry on, read one line at a time.
 */
export async function verifyJournal(lines: AsyncIterable<string>, published?: Head): Promise<Verification> {
  // No `for await`: `explainGap` reads on with the same iterator.
  const reader = lines[Symbol.asyncIterator]()
  let last: Head = { number: 0, hash: GENESIS }
  let withoutDetails = 0
  for (let line = 1; ; line += 1) {
    const next = await reader.next()
    if (next.done) break
    const entry = parse(next.value)
    if (!entry) return { ok: false, line, why: 'it is not an entry: it was added or edited' }
    if (entry.number > last.number + 1)
      return { ok: false, line, why: await explainGap(last.number + 1, reader) }
    if (wasPreviousRehashed(entry, last))
      return { ok: false, line: line - 1, why: `entry ${last.number} was edited` }
    const why = explainMismatch(entry, last, published)
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

const SEALED_KEYS = 'number previous id at actor action subject before after commitment'.split(' ')
const LINE_KEYS = canonical([...SEALED_KEYS, 'hash'].toSorted())

function parse(text: string): Line | undefined {
  try {
    const value = JSON.parse(text) as Line & Record<string, unknown>
    const keys = Object.keys(value).filter((key) => key !== 'details')
    const hasAllKeys = canonical(keys.toSorted()) === LINE_KEYS && Number.isSafeInteger(value.number)
    return hasAllKeys && isDetails(value.details) ? value : undefined
  } catch {
    return undefined
  }
}

/** Details are absent, or exactly a salt and its content. */
const isDetails = (details: Line['details']) =>
  details === undefined || (typeof details?.salt === 'string' && Object.keys(details).length === 2)

async function explainGap(wanted: number, lines: AsyncIterator<string>): Promise<string> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (parse(next.value)?.number === wanted) return `entry ${wanted} was moved: it stands further down`
  }
  return `entry ${wanted} is missing`
}

/** Whether the previous line was edited and hashed anew: `entry` is intact but names another hash. */
function wasPreviousRehashed(entry: Line, last: Head): boolean {
  return (
    last.number > 0 &&
    entry.number > last.number &&
    entry.previous !== last.hash &&
    entry.hash === hashOf(entry)
  )
}

/** Says why an entry cannot be the next one; undefined if it can. */
function explainMismatch(entry: Line, last: Head, published: Head | undefined): string | undefined {
  const wanted = last.number + 1
  if (entry.number < wanted) return `entry ${entry.number} was added, or moved here`
  if (entry.previous !== last.hash || entry.hash !== hashOf(entry)) return `entry ${wanted} was edited`
  if (entry.details && commitmentOf(entry.details) !== entry.commitment)
    return `the details of entry ${wanted} were edited`
  if (published?.number === wanted && published.hash !== entry.hash)
    return `entry ${wanted} is not the one that was published: it, or one before it, was edited`
  return undefined
}
