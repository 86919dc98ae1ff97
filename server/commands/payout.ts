import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Asset } from '#contract/allocation.ts'
import { MAX_THAW_REASON_LENGTH, type Payout } from '#contract/dashboard/payouts.ts'
import { plainText } from '#contract/protocol/fields.ts'
import { toWholeUnits } from '#contract/whole-units.ts'
import { readChainRpcUrl } from '../config/config.ts'
import { findCampaign } from '../domain/campaign/campaign-records.ts'
import { readEffective } from '../domain/campaign/settings/overrides.ts'
import { countDrift, describeDrift } from '../domain/payouts/drift.ts'
import { exportSiteTo, exportTo } from '../domain/payouts/export.ts'
import { freeze } from '../domain/payouts/freeze/freeze.ts'
import { listRows } from '../domain/payouts/list-rows.ts'
import { requireFreeze } from '../domain/payouts/live-freeze.ts'
import { FolderNotEmpty } from '../domain/payouts/pack/build-pack.ts'
import { readPayout, readSharedWallets } from '../domain/payouts/read-payout.ts'
import { summaryOf } from '../domain/payouts/read-allocation.ts'
import { CONFIRMATIONS, reconcile } from '../domain/payouts/reconcile/reconcile.ts'
import { createScanRpc } from '../domain/payouts/reconcile/transfers.ts'
import type { Report } from '../domain/payouts/runs.ts'
import { thaw } from '../domain/payouts/thaw.ts'
import { errorMessages } from '../messages/errors.ts'
import { count as countOf } from '../platform/count.ts'
import type { Database } from '../platform/database/database.ts'
import { explainWriting } from '../platform/file-problems.ts'
import { Refusal } from '../platform/refusal.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { readAllocationSite } from '../site/built/built-assets.ts'
import { Misconfigured } from '../platform/misconfigured.ts'
import {
  describeRefusal,
  runInterruptibly,
  OPERATOR,
  readInputs,
  requireOpened,
  runCommand,
  withDatabase,
  WrongArguments,
} from './command.ts'

const USAGE = `Usage: npm run payout -- freeze [--force] (--force leaves out claims that wait for a decision)
       npm run payout -- export DIR
       npm run payout -- site DIR
       npm run payout -- reconcile --payer 0x… [--from-block N] [--tx 0x…]…
       npm run payout -- thaw --reason TEXT
Each with --campaign ID for a campaign that is archived.`

type CommandDeps = { db: Database; campaign: CampaignFile; signal: AbortSignal }
type Subcommand = (deps: CommandDeps) => Promise<void>

async function main(): Promise<void> {
  const { subcommand, campaignId } = readArguments()
  const { config, campaign: file } = await readInputs()
  try {
    await runInterruptibly('Interrupted. Nothing was left half done.', (signal) =>
      withDatabase(config, async (db) => {
        const { campaign: current } = await readEffective(db, file)
        const campaign = await findCampaign(db, current, campaignId ?? file.id)
        await requireOpened(db, campaign)
        await subcommand({ db, campaign, signal })
      }),
    )
  } catch (error) {
    endProgress()
    if (error instanceof Refusal && error.code === 'payout_not_set')
      throw new Misconfigured(describeRefusal(error), { cause: error })
    if (error instanceof FolderNotEmpty)
      throw new Error(`${error.message} Use a new or empty folder.`, { cause: error })
    throw error
  }
}

const OPTIONS = {
  force: { type: 'boolean' },
  payer: { type: 'string' },
  'from-block': { type: 'string' },
  tx: { type: 'string', multiple: true },
  reason: { type: 'string' },
  campaign: { type: 'string' },
} as const

const parseCommandLine = () => parseArgs({ options: OPTIONS, allowPositionals: true })
type Values = Omit<ReturnType<typeof parseCommandLine>['values'], 'campaign'>

/** Which options each subcommand takes, and whether it takes a folder. `make` throws for wrong arguments. */
const SUBCOMMANDS: Record<
  string,
  { takes: (keyof Values)[]; takesFolder?: true; make: (values: Values, folder: string) => Subcommand }
> = {
  freeze: { takes: ['force'], make: (values) => (deps) => freezeNow(deps, values.force === true) },
  export: { takes: [], takesFolder: true, make: (_values, folder) => (deps) => exportPack(deps, folder) },
  site: { takes: [], takesFolder: true, make: (_values, folder) => (deps) => exportSite(deps, folder) },
  reconcile: { takes: ['payer', 'from-block', 'tx'], make: readReconcile },
  thaw: { takes: ['reason'], make: readThaw },
}

function readArguments(): { subcommand: Subcommand; campaignId: string | undefined } {
  const parsed = parseCommandLine()
  const { campaign: campaignId, ...values } = parsed.values
  const [name = '', folder = '', ...rest] = parsed.positionals
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
  const hasForeignOption = Object.keys(values).some(
    (option) => !subcommand?.takes.includes(option as keyof Values),
  )
  const isFolderRight = (folder !== '') === (subcommand?.takesFolder === true)
  if (!subcommand || hasForeignOption || !isFolderRight || rest.length > 0) throw new WrongArguments()
  return { subcommand: subcommand.make(values, folder), campaignId }
}

const TRANSACTION = /^0x[0-9a-f]{64}$/i

function readReconcile({ payer, tx = [], 'from-block': from }: Values): Subcommand {
  const isFromBlockValid = from === undefined || /^[0-9]{1,9}$/.test(from)
  if (payer === undefined || !isFromBlockValid || !tx.every((hash) => TRANSACTION.test(hash)))
    throw new WrongArguments()
  const fromBlock = from === undefined ? undefined : Number(from)
  return (deps) =>
    reconcileNow(deps, { payer, fromBlock, transactions: tx.map((hash) => hash.toLowerCase()) })
}

function readThaw({ reason }: Values): Subcommand {
  const parsed = z.safeParse(plainText(1, MAX_THAW_REASON_LENGTH), reason)
  if (!parsed.success) throw new WrongArguments()
  return (deps) => thawNow(deps, parsed.data)
}

async function freezeNow(deps: CommandDeps, isForced: boolean): Promise<void> {
  const { plan, rates, token } = await readPayout(deps)
  if (token.isPlaceholder && plan && rates)
    console.error(PAYOUT.warnPlaceholder({ contract: token.contract }))
  const undecided = plan?.undecided ?? 0
  if (undecided > 0 && !isForced)
    throw new Error(
      `${undecided === 1 ? 'One claim is' : `${undecided} claims are`} waiting for a decision. Decide first, or use --force to leave out undecided claims.`,
    )
  const frozen = await freezeOrExplain(deps, isForced ? Number.MAX_SAFE_INTEGER : 0)
  endProgress()
  const { terms } = frozen
  console.log(
    `Frozen: ${countOf(frozen.recipients, 'wallet')}, ${amountOf(frozen.pf, terms.token)} and ${amountOf(frozen.pls, terms.coin)}.`,
  )
  console.log(`Root ${frozen.root}`)
  for (const { reason, count, amounts } of frozen.leftOut)
    console.log(
      `Left out, ${LEFT_OUT[reason]}: ${count}, worth ${amountOf(amounts.pf, terms.token)} and ${amountOf(amounts.pls, terms.coin)}.`,
    )
  if (frozen.undecided > 0) console.log(`Left out, waiting for a decision: ${frozen.undecided}.`)
  if (frozen.contracts > 0)
    console.log(
      `${countOf(frozen.contracts, 'wallet is a contract: check with its owner', 'wallets are contracts: check with their owners')} before you pay.`,
    )
}

const LEFT_OUT = {
  no_approved_claim: 'points without an approved claim',
  below_minimum: 'below the minimum',
  unusable_wallet: 'a wallet that cannot be paid',
  nothing_due: 'nothing due',
  account_banned: 'a banned account',
  account_deleted: 'a deleted account',
} as const

/** Freezes. If it is refused because participants share wallets, the error lists these wallets. */
async function freezeOrExplain(deps: CommandDeps, maxUndecided: number) {
  try {
    return await freeze(deps, { ...OPERATOR, maxUndecided, onProgress, signal: deps.signal })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'wallets_shared') throw error
    const shared = await readSharedWallets(deps.db, deps.campaign.id)
    throw new Error([errorMessages.messages.wallets_shared, ...shared].join('\n'), { cause: error })
  }
}

async function exportPack(deps: CommandDeps, folder: string): Promise<void> {
  const run = { ...OPERATOR, onProgress, signal: deps.signal }
  const frozen = await explainWriting(folder, () => exportTo(deps, folder, run))
  endProgress()
  console.log(
    `Wrote the pack for ${countOf(frozen.recipients, 'wallet')} to ${folder}. Start with its README.md.`,
  )
  // Drift: claims, points and bans that have changed since the freeze.
  for (const line of await describeDrift(deps.db, frozen)) console.log(line)
}

async function exportSite(deps: CommandDeps, folder: string): Promise<void> {
  const frozen = await requireFreeze(deps)
  const summary = summaryOf(frozen, await countDrift(deps.db, frozen))
  const page = await readAllocationSite(deps.campaign.name, summary)
  const run = { ...OPERATOR, onProgress, signal: deps.signal }
  await explainWriting(folder, () => exportSiteTo(deps, { folder, page }, run))
  endProgress()
  console.log(
    `Wrote the public check for ${countOf(frozen.recipients, 'wallet')} to ${folder}. Any file server can serve it.`,
  )
}

type ReconcileArguments = { payer: string; fromBlock: number | undefined; transactions: string[] }

async function reconcileNow(deps: CommandDeps, args: ReconcileArguments): Promise<void> {
  const rpc = createScanRpc(readChainRpcUrl(process.env))
  const options = { ...OPERATOR, ...args, onProgress, signal: deps.signal }
  const { payments, from, to } = await reconcile(deps, rpc, options)
  endProgress()
  console.log(
    `${describeBlocks(from, to)} (a block counts once ${CONFIRMATIONS} others follow it). New payments: ${payments}.`,
  )
  const payout = await readPayout(deps)
  for (const asset of ['pf', 'pls'] as const) await printPayments(deps, payout, asset)
}

function describeBlocks(from: number, to: number): string {
  if (to < from) return 'There are no new blocks to read'
  return from === to ? `Block ${from} was read` : `Blocks ${from} to ${to} were read`
}

const MAX_LISTED = 20

async function printPayments(deps: CommandDeps, { frozen, token, coin }: Payout, asset: Asset) {
  const counts = frozen?.reconciled?.counts[asset] ?? {}
  const nonzero = Object.entries(counts).filter(([, count]) => count > 0)
  if (nonzero.length === 0) return
  const unit = asset === 'pf' ? token : coin
  const words = nonzero.map(([status, count]) => `${count} ${STATUS_WORDS[status] ?? status}`)
  console.log(`${unit.symbol}: ${words.join(', ')}.`)
  for (const list of ['short', 'missing'] as const) {
    // The list “missing” also contains unreadable amounts, which may have been paid. `counts.missing` leaves
    // them out. The list is skipped if it contains nothing else.
    if (!counts[list]) continue
    const { data, next } = await listRows(deps, { list, asset, limit: MAX_LISTED })
    for (const { wallet, amounts, received } of data)
      console.log(
        `  ${list} ${wallet} ${toWholeUnits(BigInt(received[asset]), unit.decimals)} of ${amountOf(amounts[asset], unit)}`,
      )
    if (next !== null) console.log(`  … and more under ${list}: see the dashboard.`)
  }
}

const STATUS_WORDS: Partial<Record<string, string>> = {
  unreadable: 'not readable (transfers of the coin leave no logs: name the transactions with --tx)',
}

async function thawNow(deps: CommandDeps, reason: string): Promise<void> {
  await thaw(deps, { ...OPERATOR, reason })
  console.log('The freeze has been undone. The reason is in the journal.')
}

const amountOf = (amount: bigint | string, { symbol, decimals }: { symbol: string; decimals: number }) =>
  `${toWholeUnits(BigInt(amount), decimals)} ${symbol}`

const BAR_WIDTH = 24
const CLEAR_LINE = '\r\x1b[2K'

/** Shows progress on one line of a terminal. Shows nothing elsewhere, so that logs stay short. */
const onProgress: Report = ({ step, done, total }) => {
  if (!process.stderr.isTTY) return
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const bar = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '·')
  const groupDigits = (count: number) => count.toLocaleString('en')
  const amount = total === null ? groupDigits(done) : `${groupDigits(done)} of ${groupDigits(total)}`
  process.stderr.write(`${CLEAR_LINE}${bar} ${STEPS[step] ?? step}, ${amount}`)
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
}

const STEPS: Partial<Record<string, string>> = {
  rows: 'Reading points',
  tree: 'Building the tree',
  save: 'Saving the tree',
  files: 'Writing files',
  blocks: 'Reading blocks',
}

await runCommand(USAGE, main)
