import { ADDRESS_BYTES, type Column, type Keccak, WORD_BYTES } from './merkle/nodes.ts'
import type { Asset } from '#contract/allocation.ts'
import { withChecksum } from '#server/platform/eip55.ts'
import type { PayoutRow } from './types.ts'

const WALLET = /^0x[0-9a-fA-F]{40}$/
export const UINT256_END = 1n << 256n
const FIRST_CAPACITY_ROWS = 1024

/** A row is not as `PayoutRow` says, so nothing is built. */
export class RowError extends Error {
  override name = 'RowError'
  /** From 0. */
  readonly row: number

  constructor(row: number, message: string) {
    super(message)
    this.row = row
  }
}

const rowError = (row: number, problem: string) =>
  new RowError(row, `Row ${row} of the allocation ${problem}.`)

/** The rows of an allocation in flat columns: 84 bytes a row, a tenth of what objects cost. */
export class RowTable {
  count = 0
  readonly totals: Record<Asset, bigint> = { pf: 0n, pls: 0n }
  /** How many rows have an amount of the asset. */
  readonly recipients: Record<Asset, number> = { pf: 0, pls: 0 }
  readonly #keccak: Keccak
  #wallets = Buffer.alloc(FIRST_CAPACITY_ROWS * ADDRESS_BYTES)
  #amounts: Record<Asset, Buffer> = {
    pf: Buffer.alloc(FIRST_CAPACITY_ROWS * WORD_BYTES),
    pls: Buffer.alloc(FIRST_CAPACITY_ROWS * WORD_BYTES),
  }

  constructor(keccak: Keccak) {
    this.#keccak = keccak
  }

  /** @throws RowError for an impossible amount, and for a wallet that is malformed or out of order. */
  add({ wallet, pf, pls }: PayoutRow): void {
    const row = this.count
    this.#reserve(row + 1)
    if (!WALLET.test(wallet)) throw rowError(row, 'has no wallet of 0x and 40 hexadecimal digits')
    this.#wallets.write(wallet.slice(2), row * ADDRESS_BYTES, 'hex')
    if (this.wallet(row) !== wallet) throw rowError(row, `has a wallet with a wrong checksum, ${wallet}`)
    if (row > 0 && Buffer.compare(this.#walletBytes(row - 1), this.#walletBytes(row)) >= 0)
      throw rowError(row, `has the wallet ${wallet}, which is not after the one before`)
    if (pf === 0n && pls === 0n) throw rowError(row, 'has no amount')
    this.#setAmount(row, 'pf', pf)
    this.#setAmount(row, 'pls', pls)
    this.count += 1
  }

  /** With its EIP-55 checksum. */
  wallet(row: number): string {
    const digits = this.#wallets.toString('hex', row * ADDRESS_BYTES, (row + 1) * ADDRESS_BYTES)
    return `0x${withChecksum(digits, this.#keccak(Buffer.from(digits, 'latin1')))}`
  }

  /** The first `bits` (at most 32) of a row's wallet, as a number. */
  prefix(row: number, bits: number): number {
    return bits === 0 ? 0 : this.#wallets.readUInt32BE(row * ADDRESS_BYTES) >>> (32 - bits)
  }

  amount(row: number, asset: Asset): bigint {
    return BigInt(`0x${this.#amounts[asset].toString('hex', row * WORD_BYTES, (row + 1) * WORD_BYTES)}`)
  }

  columns(): Column[] {
    const { pf, pls } = this.#amounts
    return [
      { type: 'address', bytes: this.#wallets },
      { type: 'uint256', bytes: pf },
      { type: 'uint256', bytes: pls },
    ]
  }

  columnsOf(asset: Asset, rows: Uint32Array): [wallet: Column, amount: Column] {
    const wallets = Buffer.alloc(rows.length * ADDRESS_BYTES)
    const amounts = Buffer.alloc(rows.length * WORD_BYTES)
    for (const [place, row] of rows.entries()) {
      this.#wallets.copy(wallets, place * ADDRESS_BYTES, row * ADDRESS_BYTES, (row + 1) * ADDRESS_BYTES)
      this.#amounts[asset].copy(amounts, place * WORD_BYTES, row * WORD_BYTES, (row + 1) * WORD_BYTES)
    }
    return [
      { type: 'address', bytes: wallets },
      { type: 'uint256', bytes: amounts },
    ]
  }

  rowsOf(asset: Asset): Uint32Array {
    const rows = new Uint32Array(this.recipients[asset])
    let place = 0
    for (let row = 0; row < this.count; row += 1) if (this.amount(row, asset) > 0n) rows[place++] = row
    return rows
  }

  #walletBytes(row: number): Buffer {
    return this.#wallets.subarray(row * ADDRESS_BYTES, (row + 1) * ADDRESS_BYTES)
  }

  #setAmount(row: number, asset: Asset, amount: bigint): void {
    this.totals[asset] += amount
    // A total beyond 256 bits could not be paid, and tools that add it up would overflow.
    if (amount < 0n || this.totals[asset] >= UINT256_END)
      throw rowError(row, `has an impossible amount, ${amount}`)
    if (amount > 0n) this.recipients[asset] += 1
    const digits = amount.toString(16).padStart(2 * WORD_BYTES, '0')
    this.#amounts[asset].write(digits, row * WORD_BYTES, 'hex')
  }

  #reserve(rows: number): void {
    const capacity = this.#wallets.length / ADDRESS_BYTES
    if (rows <= capacity) return
    const grown = (old: Buffer) => {
      const larger = Buffer.alloc(2 * old.length)
      old.copy(larger)
      return larger
    }
    this.#wallets = grown(this.#wallets)
    this.#amounts = { pf: grown(this.#amounts.pf), pls: grown(this.#amounts.pls) }
  }
}
