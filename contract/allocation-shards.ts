/** How the static site splits an allocation, so that a page fetches one small file instead of all of it. */
export type ShardMap = {
  /** The number of leading bits of a wallet's address that choose its shard. */
  bits: number
  /** Keys of shards that would be too large. The next bit of the address splits each of them in two. */
  split: readonly string[]
}

/** Wallets that share their first 32 bits stay in one shard. */
export const MAX_SHARD_BITS = 32

/** A shard's key: the length of its prefix in bits and the prefix's value, as in `16/3fa0`. */
export function shardKey(prefix: number, bits: number): string {
  return `${bits}/${prefix.toString(16).padStart(Math.ceil(bits / 4), '0')}`
}

/** The path of a shard from the page, as in `shards/16/3f/a0.json`: at most 256 folders per prefix length. */
export function shardPath(key: string): string {
  return `shards/${key.replace(/\/(..)(.+)$/, '/$1/$2')}.json`
}

/** The key of the shard that would hold a wallet. @param wallet `0x` and 40 hex digits in either case. */
export function shardKeyOfWallet(wallet: string, { bits, split }: ShardMap): string {
  const firstBits = Number.parseInt(wallet.slice(2, 10), 16)
  for (let length = bits; ; length += 1) {
    // `>>> 32` would not shift at all.
    const key = shardKey(length === 0 ? 0 : firstBits >>> (MAX_SHARD_BITS - length), length)
    if (!split.includes(key)) return key
  }
}

/** A shard's content, by checksummed wallet address; amounts in the smallest units. */
export type Shard = Record<string, { pf: string; pls: string; proof: readonly string[] }>
