import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { record } from '#server/domain/journal/record.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { countDrift, readDrift } from './drift.ts'
import { type LiveFreeze, refuseIfThawed, requireFreeze } from './live-freeze.ts'
import { exportPack, exportSite, type SiteTarget, streamPack } from './pack/build-pack.ts'
import type { PackFacts, PackOptions, PackProgress, PayoutRow, PayoutRows } from './pack/types.ts'
import { type Report, runAlone, type RunOptions } from './runs.ts'

/** Writes the pack: files for payment tools. @throws `payout_not_frozen`, `payout_busy`; FolderNotEmpty. */
export function exportTo(deps: ExportDeps, folder: string, run: RunOptions): Promise<LiveFreeze> {
  return exportWith(deps, run, (rows, facts, options) => exportPack(rows, facts, folder, options))
}

/** Writes the page /check as a static site, which does not say who has drifted (changed since the freeze). */
export function exportSiteTo(deps: ExportDeps, site: SiteTarget, run: RunOptions): Promise<LiveFreeze> {
  return exportWith(deps, run, (rows, facts, options) => {
    const published = { ...facts, drift: { ...facts.drift, named: [] } }
    return exportSite(rows, published, site, options)
  })
}

type ExportDeps = Pick<Deps, 'db' | 'campaign'>
type WritePack = (rows: PayoutRows, facts: PackFacts, options: PackOptions) => Promise<void>

async function exportWith(
  deps: ExportDeps,
  { signal, ...run }: RunOptions,
  write: WritePack,
): Promise<LiveFreeze> {
  const live = await requireFreeze(deps)
  await runAlone(deps, { task: 'export', ...run }, async (report) => {
    const facts = await openExport(deps.db, live, run)
    const onWritten = () => refuseIfThawed(deps.db, live)
    await write(readRows(deps.db, live.id), facts, { signal, onWritten, onProgress: asReport(report, live) })
  })
  return live
}

/**
 * The pack as a ZIP archive. A download that is cut off lacks the archive's central directory, so that no
 * program opens it.
 * @throws refusals `payout_not_frozen`, `payout_busy`.
 */
export async function download(deps: Deps, { signal, ...run }: RunOptions): Promise<Readable> {
  const live = await requireFreeze(deps)
  const opened = Promise.withResolvers<Readable>()
  const allSentToGate = Promise.withResolvers<void>()
  let latest: Buffer | undefined
  // The run waits until `gate` has all but the last piece, and `gate` then waits for the end of the run.
  const gate = new Transform({
    // Stays one piece behind: the last piece, the central directory, is sent only after a run has succeeded.
    transform(piece: Buffer, _encoding, done) {
      const previous = latest
      latest = piece
      done(null, previous)
    },
    // Ends the stream only after the run: whoever has read the stream to its end may start the next run.
    flush(done) {
      allSentToGate.resolve()
      void endAfter(streaming, (error) => done(error, latest))
    },
  })
  const streaming = runAlone(deps, { task: 'export', ...run }, async (report) => {
    const facts = await openExport(deps.db, live, run)
    const onProgress = asReport(report, live)
    const pack = streamPack(readRows(deps.db, live.id), facts, { signal, onProgress })
    // Fails if the build fails, or if the client is gone.
    pipeline(pack, gate).catch(allSentToGate.reject)
    opened.resolve(gate)
    await allSentToGate.promise
    await refuseIfThawed(deps.db, live)
  })
  streaming.catch((error: unknown) => {
    opened.reject(error) // unless the download has begun
    if (!(error instanceof Refusal))
      deps.log.warn({ err: error }, 'the download of a payout pack was cut off')
  })
  return opened.promise
}

async function endAfter(run: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await run
    done()
  } catch (error) {
    done(error as Error)
  }
}

/** Journals the export. @throws refusal `payout_not_frozen` if the freeze was thawed before the run began. */
async function openExport(
  db: Database,
  live: LiveFreeze,
  { actor, network }: Pick<RunOptions, 'actor' | 'network'>,
): Promise<PackFacts> {
  const after = { root: live.root.slice(2), recipients: live.recipients } // a digest, without 0x
  await inTransaction(db, async (tx) => {
    await refuseIfThawed(tx, live)
    await record(tx, { actor, action: 'payout.exported', subject: live.id, after, network })
  })
  return readFacts(db, live)
}

async function readFacts(db: Database, live: LiveFreeze): Promise<PackFacts> {
  const { campaign, chain, token, coin } = live.terms
  const contracts = await db
    .selectFrom('payout_rows')
    .select('wallet')
    .where('freeze_id', '=', live.id)
    .where('is_contract', '=', true)
    .orderBy('position')
    .execute()
  return {
    root: live.root,
    campaign,
    frozenAt: live.frozenAt.toISOString(),
    chain: { id: chain.id, name: chain.name },
    token,
    coin,
    contracts: contracts.map(({ wallet }) => wallet),
    drift: {
      counts: await countDrift(db, live),
      named: (await readDrift(db, live)).map(({ wallet, drift }) => ({ wallet, drift })),
    },
  }
}

/** Rows per statement: few enough for the statement timeout. */
const BATCH_SIZE = 5_000

/** Reads the frozen rows in the order of the wallets. They cannot change between two batches. */
export async function* readRows(db: Database, freezeId: string): AsyncGenerator<PayoutRow> {
  for (let from = 0; ; from += BATCH_SIZE) {
    const rows = await db
      .selectFrom('payout_rows')
      .select(['wallet', sql<string>`pf::text`.as('pf'), sql<string>`pls::text`.as('pls')])
      .where('freeze_id', '=', freezeId)
      .where('position', '>=', from)
      .where('position', '<', from + BATCH_SIZE)
      .orderBy('position')
      .execute()
    for (const { wallet, pf, pls } of rows) yield { wallet, pf: BigInt(pf), pls: BigInt(pls) }
    if (rows.length < BATCH_SIZE) return
  }
}

const asReport =
  (report: Report, { recipients }: LiveFreeze) =>
  ({ step, done, total }: PackProgress) =>
    report({ step, done, total: total ?? recipients })
