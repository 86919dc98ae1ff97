import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { unzipSync } from 'fflate'
import { buildAllocation, exportPack, FolderNotEmpty, streamPack } from './build-pack.ts'
import { loadKeccak } from './merkle/nodes.ts'
import { RowTable } from './row-table.ts'
import { filesBelow, packFacts, payoutRows } from './testing/allocation.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import type { PackProgress, PayoutRow } from './types.ts'
import { zipSink } from './write-files.ts'

/** Enough for two files of Safe, which limits the rows of a file. */
const ROWS = payoutRows(500)
const FACTS = packFacts(ROWS)
/** For tests in which the number of rows does not matter. */
const FEW = ROWS.slice(0, 20)
const FACTS_OF_FEW = packFacts(FEW)

test('writes a folder with the hash of each file, and streams the same files as an archive', async (t) => {
  const folder = path.join(await scratchFolder(t), 'pack')
  const progress: PackProgress[] = []
  await exportPack(ROWS, FACTS, folder, { onProgress: (step) => progress.push(step) })
  const files = await filesBelow(folder)
  const lines = (await readFile(path.join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n')
  const sums = lines.map((line) => line.split('  ') as [hash: string, file: string])
  const names = [...sums.map(([, file]) => file), 'SHA256SUMS']
  assert.deepEqual(names.toSorted(), files.toSorted())
  for (const [hash, file] of sums) {
    const content = await readFile(path.join(folder, file))
    assert.equal(hash, createHash('sha256').update(content).digest('hex'), file)
  }
  for (const file of ['pf/recipients.csv', 'pls/uniswap.json', 'pf/safe/safe-1-of-2.csv', 'README.md'])
    assert.ok(files.includes(file), file)
  assert.deepEqual(new Set(progress.map(({ step }) => step)), new Set(['rows', 'tree', 'files']))
  // Progress is reported before a file is written.
  const last = progress.findLast(({ step }) => step === 'files')
  assert.equal(last?.done, (last?.total ?? 0) - 1)

  const archive = await buffer(streamPack(ROWS, FACTS))
  const archived = Object.entries(unzipSync(archive))
  const namesInArchive = archived.map(([name]) => name)
  assert.deepEqual(namesInArchive, names)
  for (const [name, content] of archived)
    assert.ok((await readFile(path.join(folder, name))).equals(content), name)
  // Noon of the day of the freeze, in the fields of MS-DOS. The time of the download would differ each time.
  const [year, month, day, hour] = [2027 - 1980, 1, 31, 12]
  const timeOfFirstFile = archive.readUInt32LE(10)
  assert.equal(timeOfFirstFile, (year << 25) | (month << 21) | (day << 16) | (hour << 11))
})

test('an archive is the same in every time zone', async (t) => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env['TZ']
    else process.env['TZ'] = TZ
  })
  const archiveIn = async (zone: string) => {
    process.env['TZ'] = zone
    const pieces: Uint8Array[] = []
    // 02:30 does not exist as a local time in Berlin on this day, when summer time begins.
    const sink = zipSink(async (piece) => void pieces.push(piece), new Date('2027-03-28T02:30:00Z'))
    sink.begin('README.md')
    await sink.write(Buffer.from('what each wallet gets'))
    await sink.end()
    await sink.close()
    return Buffer.concat(pieces).toString('hex')
  }
  const zones = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati']
  const archives = new Set<string>()
  for (const zone of zones) archives.add(await archiveIn(zone))
  assert.equal(archives.size, 1)
})

test('the README says what is paid, and which files are missing', async (t) => {
  const rows = ROWS.slice(0, 3).map((row, place) => ({ ...row, pf: 1_500_000n, pls: place === 0 ? 5n : 0n }))
  const folder = path.join(await scratchFolder(t), 'pack')
  const contract = rows[1]?.wallet ?? ''
  await exportPack(rows, { ...packFacts(rows), contracts: [contract] }, folder)
  const readme = await readFile(path.join(folder, 'README.md'), 'utf8')
  assert.match(readme, /\| PF \| 4\.5 PF to 3 wallets \|/)
  assert.match(readme, /\| PLS \| 0\.000000000000000005 PLS to 1 wallet \|/)
  assert.match(readme, /`pls\/sablier\.csv` is missing: Sablier needs at least two recipients/)
  assert.match(readme, /1 wallet had contract code/)
  assert.doesNotMatch(readme, /Changed since/, 'nothing has drifted')
  assert.equal(await readFile(path.join(folder, 'contracts.txt'), 'utf8'), `${contract}\n`)
  const files = ['disperse.txt', 'openzeppelin.json', 'recipients.csv', 'safe', 'uniswap.json']
  assert.deepEqual((await readdir(path.join(folder, 'pls'))).toSorted(), files)
})

test('refuses a folder with something in it, and leaves it alone', async (t) => {
  const folder = await scratchFolder(t)
  await writeFile(path.join(folder, 'notes.txt'), 'mine')
  const onProgress = () => assert.fail('nothing is built')
  await assert.rejects(exportPack(FEW, FACTS_OF_FEW, folder, { onProgress }), FolderNotEmpty)
  assert.deepEqual(await readdir(folder), ['notes.txt'])
})

test('an export leaves nothing behind if it is canceled half-way', async (t) => {
  const parent = await scratchFolder(t)
  const cancel = new AbortController()
  const building = exportPack(ROWS, FACTS, path.join(parent, 'pack'), {
    signal: cancel.signal,
    onProgress(progress) {
      if (progress.step === 'files' && progress.file === 'pf/openzeppelin.json')
        cancel.abort(new Error('enough'))
    },
  })
  await assert.rejects(building, { message: 'enough' })
  assert.deepEqual(await readdir(parent), [])
})

test('an export leaves nothing behind if its rows fail half-way', async (t) => {
  const parent = await scratchFolder(t)
  let isClosed = false
  async function* failing() {
    try {
      yield* FEW
      throw new Error('the database is gone')
    } finally {
      isClosed = true
    }
  }
  await assert.rejects(exportPack(failing(), FACTS_OF_FEW, path.join(parent, 'pack')), {
    message: 'the database is gone',
  })
  assert.deepEqual(await readdir(parent), [])
  assert.ok(isClosed)
})

test('an export that cannot write fails with the error code of the system', async (t) => {
  const parent = await scratchFolder(t)
  async function* rows() {
    yield* FEW
    // A folder stands where the pack's first file has to be written.
    const [draft = ''] = await readdir(parent)
    await mkdir(path.join(parent, draft, 'README.md'))
  }
  await assert.rejects(exportPack(rows(), FACTS_OF_FEW, path.join(parent, 'pack')), { code: 'EEXIST' })
  assert.deepEqual(await readdir(parent), [])
})

test('writes its files even while the server’s thread is busy', async (t) => {
  const parent = await scratchFolder(t)
  let wasBusy = false
  await exportPack(FEW, FACTS_OF_FEW, path.join(parent, 'pack'), {
    onProgress({ step }) {
      if (step !== 'files' || wasBusy) return
      wasBusy = true
      // From here to the last file, this thread does nothing else.
      waitFor(() => readdirSync(parent).some((folder) => existsSync(path.join(parent, folder, 'SHA256SUMS'))))
    },
  })
  assert.ok(wasBusy)
})

/** Blocks the thread until the condition is met, which it checks every 10 ms, for at most 30 s. */
function waitFor(condition: () => boolean) {
  const doorbell = new Int32Array(new SharedArrayBuffer(4))
  for (let round = 0; !condition(); round += 1) {
    assert.ok(round < 3_000, 'the last file is written')
    Atomics.wait(doorbell, 0, 0, 10)
  }
}

test('no folder or archive is built from rows that differ from the frozen rows', async (t) => {
  const parent = await scratchFolder(t)
  await assert.rejects(
    exportPack(FEW.slice(1), FACTS_OF_FEW, path.join(parent, 'pack')),
    /root 0x[0-9a-f]{64}, but/,
  )
  assert.deepEqual(await readdir(parent), [])
  await assert.rejects(buffer(streamPack(FEW.slice(1), FACTS_OF_FEW)), /root 0x[0-9a-f]{64}, but/)
})

test('reads no further rows for a download that is closed', async () => {
  const closed = Promise.withResolvers<void>()
  async function* endless() {
    try {
      for (let row = 0; ; row += 1) yield* payoutRows(1, row)
    } finally {
      closed.resolve()
    }
  }
  const stream = streamPack(endless(), FACTS_OF_FEW)
  stream.on('error', () => {}).resume()
  stream.destroy()
  await closed.promise
})

test('names the first invalid row', async () => {
  const [first, second, third] = ROWS as [PayoutRow, PayoutRow, PayoutRow]
  const lower = { ...third, wallet: third.wallet.toLowerCase() }
  const tooMuchInTotal = [first, { ...second, pls: 2n ** 256n - 1n }]
  const cases: [PayoutRow[], RegExp][] = [
    [[first, second, lower], /^Row 2 .*checksum/],
    [[second, first], /^Row 1 .*not after/],
    [[first, first], /^Row 1 .*not after/],
    [[{ ...first, wallet: '0x12' }], /^Row 0 .*40 hexadecimal digits/],
    [[{ ...first, wallet: `=cmd${first.wallet.slice(4)}` }], /^Row 0 .*40 hexadecimal digits/],
    [[{ ...first, pf: 0n, pls: 0n }], /^Row 0 .*no amount/],
    [[{ ...first, pf: -1n }], /^Row 0 .*impossible amount/],
    [tooMuchInTotal, /^Row 1 .*impossible amount/],
  ]
  const keccak = await loadKeccak()
  for (const [rows, message] of cases)
    assert.throws(
      () => {
        const table = new RowTable(keccak)
        for (const row of rows) table.add(row)
      },
      { name: 'RowError', message },
    )
  await assert.rejects(buildAllocation([second, first]), { name: 'RowError', row: 1, message: /^Row 1 / })
  await assert.rejects(buildAllocation([]), /no rows/)
})
