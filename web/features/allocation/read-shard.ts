import { type Shard, type ShardMap, shardKeyOfWallet, shardPath } from '#contract/allocation-shards.ts'
import type { FindAllotment } from './verify.ts'

/** Creates a function that looks up wallets in the shards, which are static files beside the page. */
export function createShardLookup(
  map: ShardMap,
  fetchJson: (path: string) => Promise<unknown>,
): FindAllotment {
  return async (wallet) => {
    const shard = (await fetchJson(shardPath(shardKeyOfWallet(wallet, map)))) as Shard
    // A string or a number would otherwise pass for a shard that lacks the wallet.
    if (typeof shard !== 'object' || shard === null) throw new TypeError('The shard is not an object.')
    const entry = Object.hasOwn(shard, wallet) ? shard[wallet] : undefined
    return entry ? { wallet, amounts: { pf: entry.pf, pls: entry.pls }, proof: entry.proof } : null
  }
}
