import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANY_ENTRY, recordEntries, exportLines, verifyLines } from '#server/testing/journal.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { hashOf, type Line } from './chain.ts'
import { sealJournal } from './seal.ts'

const withChange = (lines: readonly Line[], index: number, change: Partial<Line>): Line[] =>
  lines.with(index, { ...(lines[index] as Line), ...change })

/** Hashes the lines anew from an index on, as an owner of the database could. */
function withNewHashes(lines: readonly Line[], fromIndex: number): Line[] {
  const chain = lines.slice(0, fromIndex)
  for (const line of lines.slice(fromIndex)) {
    const previous = chain.at(-1)?.hash ?? line.previous
    chain.push({ ...line, previous, hash: hashOf({ ...line, previous }) })
  }
  return chain
}

test('says in which line and how a file differs from what was sealed', async (t) => {
  const { db } = await testDatabase(t)
  const nine = Array.from({ length: 9 }, () => ANY_ENTRY)
  const tenthWithoutDetails = { actor: null, action: 'role.changed' } as const
  await recordEntries(db, ...nine, tenthWithoutDetails)
  await sealJournal(db)
  const lines = await exportLines(db)
  const last = lines.at(-1) ?? assert.fail()
  const head = { number: 10, hash: last.hash }
  assert.deepEqual(await verifyLines(lines), { ok: true, head, withoutDetails: 0 })
  assert.deepEqual(await verifyLines(lines, head), { ok: true, head, withoutDetails: 0 })

  const edited = withChange(lines, 3, { after: { status: 'rejected', points: 20_001 } })
  const forged = withChange(edited, 3, { hash: hashOf(edited[3] ?? assert.fail()) })
  // The sixth line stands after the eighth.
  const moved = [...lines.slice(0, 5), ...lines.slice(6, 8), ...lines.slice(5, 6), ...lines.slice(8)]
  const [sixth, seventh] = [lines[5]?.details, lines[6]?.details]
  assert.ok(sixth && seventh)
  const otherDetails = { details: sixth }
  const editedDetails = { ...seventh, content: { network: '192.0.2.7', reason: 'None.' } }
  const cases: [fault: string, lines: readonly unknown[], line: number, why: RegExp][] = [
    ['edited', edited, 4, /entry 4 was edited/],
    ['edited, with a recomputed hash', forged, 4, /entry 4 was edited/],
    ['another actor', withChange(lines, 0, { actor: last.id }), 1, /entry 1 was edited/],
    ['another time', withChange(lines, 9, { at: '2020-01-01T00:00:00.000000Z' }), 10, /entry 10 was edited/],
    ['details edited', withChange(lines, 6, { details: editedDetails }), 7, /details of entry 7 were edited/],
    ["another entry's details", withChange(lines, 6, otherDetails), 7, /details of entry 7 were edited/],
    ['details where there were none', withChange(lines, 9, otherDetails), 10, /details of entry 10/],
    ['missing', lines.toSpliced(5, 1), 6, /entry 6 is missing/],
    ['missing at the beginning', lines.slice(1), 1, /entry 1 is missing/],
    ['moved', moved, 6, /entry 6 was moved/],
    ['repeated', lines.toSpliced(4, 0, lines[2] as Line), 5, /entry 3 was added, or moved here/],
    ['inserted', withNewHashes(lines.toSpliced(4, 0, lines[4] as Line), 4), 6, /entry 5 was added/],
    ['renumbered', withChange(lines, 7, { number: 80 }), 8, /entry 8 is missing/],
    ['not JSON', lines.toSpliced(2, 0, '{' as never), 3, /added or edited/],
    ['an empty line', lines.toSpliced(2, 0, '' as never), 3, /added or edited/],
    ['an additional field', withChange(lines, 2, { note: 'x' } as never), 3, /added or edited/],
    ['a missing field', withChange(lines, 2, { subject: undefined as never }), 3, /added or edited/],
    ['null', [null], 1, /added or edited/],
  ]
  for (const [fault, file, line, why] of cases) {
    const verdict = await verifyLines(file)
    assert.ok(!verdict.ok, fault)
    assert.equal(verdict.line, line, `${fault}: ${verdict.why}`)
    assert.match(verdict.why, why, fault)
  }

  await t.test('a published head exposes a recomputed or truncated chain', async () => {
    const published = { number: 8, hash: lines[7]?.hash ?? '' }
    const recomputed = withNewHashes(withChange(lines, 3, { after: { status: 'rejected', points: 1 } }), 3)
    assert.ok((await verifyLines(recomputed)).ok, 'without a head a recomputed chain is valid')
    const why = 'entry 8 is not the one that was published: it, or one before it, was edited'
    assert.deepEqual(await verifyLines(recomputed, published), { ok: false, line: 8, why })
    assert.ok((await verifyLines(lines.slice(0, 8), published)).ok)
    const truncated = await verifyLines(lines.slice(0, 7), published)
    assert.deepEqual(truncated, {
      ok: false,
      line: 8,
      why: 'entry 8 is missing: the journal went on to 8 at least',
    })
    const empty = await verifyLines([], published)
    assert.ok(!empty.ok && empty.line === 1)
    assert.ok((await verifyLines([])).ok)
  })
})
