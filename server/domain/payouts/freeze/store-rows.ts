import { sql } from 'kysely'
import type { LeftOutReason } from '#contract/dashboard/payouts.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { AllocationTree } from '../pack/types.ts'
import type { AssetAmounts, Holder, Points } from './allocate.ts'

type StoredRow = AssetAmounts & { position: number; wallet: string; isContract: boolean }
/** `position` names the recipient's row; null if nothing is paid. */
type Share = Pick<Holder, 'userId'> & {
  claimId: string | null
  position: number | null
  points: Points
}
/** What is not paid to a wallet or, if `wallet` is null, to a participant who is no {@link Holder}. */
type LeftOut = AssetAmounts & {
  number: number
  reason: LeftOutReason
  wallet: string | null
  userId: string | null
}

export type Batch = { rows: StoredRow[]; shares: Share[]; leftOut: LeftOut[] }

export const emptyBatch = (): Batch => ({ rows: [], shares: [], leftOut: [] })

/** Passes each column as an array: parsing thousands of parameters would take longer than the insert. */
export async function storeBatch(tx: Tx, freezeId: string, { rows, shares, leftOut }: Batch): Promise<void> {
  if (rows.length > 0)
    await sql`
      insert into payout_rows (freeze_id, position, wallet, pf, pls, is_contract)
      select ${freezeId}, * from unnest(${column(rows, 'position')}::integer[], ${column(rows, 'wallet')}::text[],
        ${amounts(rows, 'pf')}::numeric[], ${amounts(rows, 'pls')}::numeric[],
        ${column(rows, 'isContract')}::boolean[])`.execute(tx)
  if (shares.length > 0)
    await sql`
      insert into payout_shares (freeze_id, user_id, claim_id, position, pf_points, pls_points, referral_points)
      select ${freezeId}, * from unnest(${column(shares, 'userId')}::uuid[], ${column(shares, 'claimId')}::uuid[],
        ${column(shares, 'position')}::integer[], ${points(shares, 'pf')}::bigint[], ${points(shares, 'pls')}::bigint[],
        ${points(shares, 'referral')}::bigint[])`.execute(tx)
  if (leftOut.length > 0)
    await sql`
      insert into payout_left_out (freeze_id, number, reason, wallet, user_id, pf, pls)
      select ${freezeId}, * from unnest(${column(leftOut, 'number')}::integer[], ${column(leftOut, 'reason')}::text[],
        ${column(leftOut, 'wallet')}::text[], ${column(leftOut, 'userId')}::uuid[],
        ${amounts(leftOut, 'pf')}::numeric[], ${amounts(leftOut, 'pls')}::numeric[])`.execute(tx)
}

const column = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key) => rows.map((row) => row[key])
const amounts = (rows: readonly AssetAmounts[], asset: keyof AssetAmounts) =>
  rows.map((row) => String(row[asset]))
const points = (shares: readonly Share[], kind: keyof Points) =>
  shares.map((share) => String(share.points[kind]))

/** Nodes of 32 bytes in a chunk. */
export const NODES_PER_CHUNK = 4_096
/** Numbers of 4 bytes in a chunk. */
export const LEAVES_PER_CHUNK = 32_768

/** Stores a Merkle tree: its nodes, and for each row the number of the node that is its leaf. */
export async function storeTree(
  tx: Tx,
  freezeId: string,
  { nodes, leafAt }: Pick<AllocationTree, 'nodes' | 'leafAt'>,
  onChunk: (done: number, total: number) => void,
): Promise<void> {
  const leaves = Buffer.alloc(leafAt.length * 4)
  for (const [row, node] of leafAt.entries()) leaves.writeUInt32BE(node, row * 4)
  const parts = [
    {
      part: 'nodes',
      bytes: Buffer.from(nodes.buffer, nodes.byteOffset, nodes.byteLength),
      chunkBytes: NODES_PER_CHUNK * 32,
    },
    { part: 'leaves', bytes: leaves, chunkBytes: LEAVES_PER_CHUNK * 4 },
  ]
  const total = parts.reduce((sum, { bytes, chunkBytes }) => sum + Math.ceil(bytes.length / chunkBytes), 0)
  let done = 0
  for (const { part, bytes, chunkBytes } of parts)
    for (let number = 0; number * chunkBytes < bytes.length; number += 1) {
      const chunk = bytes.subarray(number * chunkBytes, (number + 1) * chunkBytes)
      await tx
        .insertInto('payout_chunks')
        .values({ freeze_id: freezeId, part, number, bytes: chunk })
        .execute()
      done += 1
      onChunk(done, total)
    }
}
