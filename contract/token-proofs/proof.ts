import type { RpcCall, RpcFailure } from './rpc.ts'

/** The statements about a token that the site checks on the chain. */
export const PROOF_CLAIMS = ['chain', 'ownership', 'supply', 'liquidity', 'tax'] as const
export type ProofClaim = (typeof PROOF_CLAIMS)[number]

/** `not_so` contradicts the claim; `could_not_check` says nothing about it. */
export const VERDICT_KINDS = ['proven', 'not_so', 'could_not_check'] as const
export type Verdict = (typeof VERDICT_KINDS)[number]

/** Each reason leads to exactly one verdict. */
export const VERDICT_OF = {
  // chain
  right_chain: 'proven',
  no_code: 'not_so',
  // ownership
  renounced: 'proven',
  owned: 'not_so',
  upgradeable: 'not_so',
  clone: 'not_so',
  role_held: 'not_so',
  mint_seen: 'not_so',
  roles_unread: 'could_not_check',
  foreign_code: 'could_not_check',
  // ownership and supply
  unreadable_code: 'could_not_check',
  // supply
  supply_as_stated: 'proven',
  supply_smaller: 'proven',
  supply_larger: 'not_so',
  decimals_differ: 'not_so',
  mintable: 'not_so',
  changeable_code: 'could_not_check',
  // liquidity
  burned: 'proven',
  partly_burned: 'not_so',
  not_burned: 'not_so',
  no_pool: 'could_not_check',
  pool_unweighed: 'could_not_check',
  // tax
  no_tax: 'proven',
  taxed: 'not_so',
  sell_fails: 'not_so',
  transfer_fails: 'not_so',
  sell_fails_at_once: 'could_not_check',
  part_unsold: 'could_not_check',
  buy_fails: 'could_not_check',
  pool_too_small: 'could_not_check',
  no_simulation: 'could_not_check',
  router_differs: 'could_not_check',
  // liquidity and tax
  no_markets: 'could_not_check',
  // any claim
  placeholder: 'could_not_check',
  other_chain: 'could_not_check',
  nothing_there: 'could_not_check',
  no_answer: 'could_not_check',
  odd_answer: 'could_not_check',
  heads_differ: 'could_not_check',
} as const satisfies Record<string, Verdict>

export type ReasonCode = keyof typeof VERDICT_OF

/**
 * What the chain answered, with the values that a sentence about it needs. Addresses are in lower case.
 * Amounts are decimal digits in the smallest unit of their token, since JSON has no integers of that size.
 * `bps` are hundredths of a percent.
 */
export type Reason =
  /** The node is on the chain, and the token's address has `bytes` bytes of code. */
  | { code: 'right_chain'; chainId: number; bytes: number }
  /** The node is on the chain, and there is no contract at the token's address. */
  | { code: 'no_code'; chainId: number }
  /**
   * No one owns the contract: `owner` is 0x0 or a burn address, or null when there is neither owner() nor
   * getOwner(). No proxy, no role and no function to mint were found.
   */
  | { code: 'renounced'; owner: string | null }
  | { code: 'owned'; owner: string }
  /** A proxy by EIP-1967: whoever controls it can replace all rules. `address`: what the slot names. */
  | { code: 'upgradeable'; slot: 'implementation' | 'admin' | 'beacon'; address: string }
  /** A minimal proxy by EIP-1167: its rules are those of another contract. */
  | { code: 'clone'; target: string }
  /** An account has a role (OpenZeppelin's AccessControl). `role`: 32 bytes; 0x00…00 administers the rest. */
  | { code: 'role_held'; role: string; account: string }
  /** Not owned, but the code has a function that creates tokens; who may call it cannot be seen. */
  | { code: 'mint_seen'; signature: string }
  /** The code has roles, but the logs that say who holds them are missing, incomplete or too many. */
  | { code: 'roles_unread' }
  /** The code contains an instruction to run another contract's code, or to remove itself. */
  | { code: 'foreign_code'; instruction: 'DELEGATECALL' | 'CALLCODE' | 'SELFDESTRUCT' }
  /** The code does not contain selectors of functions as compilers write them: none can be looked for. */
  | { code: 'unreadable_code' }
  | { code: 'supply_as_stated'; supply: string; decimals: number }
  /** There are fewer tokens than stated, as after burns, and the code has no function that creates more. */
  | { code: 'supply_smaller'; supply: string; stated: string; decimals: number }
  | { code: 'supply_larger'; supply: string; stated: string; decimals: number }
  | { code: 'decimals_differ'; decimals: number; stated: number }
  /** The supply is as stated or smaller now, but the code has a function that creates tokens. */
  | { code: 'mintable'; supply: string; decimals: number; signature: string }
  /** The supply is as stated or smaller now, but a proxy or foreign code can change it. */
  | { code: 'changeable_code'; supply: string; decimals: number }
  /** At least 99 % of the liquidity is burned. */
  | { code: 'burned'; burnedBps: number; pools: readonly Pool[] }
  | { code: 'partly_burned'; burnedBps: number; pools: readonly Pool[] }
  /** Less than 0.01 % is burned. Locked liquidity is not burned. */
  | { code: 'not_burned'; burnedBps: number; pools: readonly Pool[] }
  /** None of the exchanges has a pool with liquidity. */
  | { code: 'no_pool'; exchanges: readonly string[] }
  /** Less than 99 % of `pool` is burned, and its weight is unknown: nothing prices its quote in coins. */
  | { code: 'pool_unweighed'; pool: Pool; pools: readonly Pool[] }
  /** A simulated purchase, transfer and sale lost nothing to a tax. */
  | ({ code: 'no_tax' } & Trade)
  /** Some of the trade went to a tax. Null: not measured, because of another tax or a failure. */
  | ({ code: 'taxed'; buyBps: number | null; transferBps: number | null; sellBps: number | null } & Trade)
  /** A simulated purchase succeeded; the sale, in a later block, did not. */
  | ({ code: 'sell_fails' } & Trade)
  /** A simulated purchase succeeded; sending the tokens to someone else, in a later block, did not. */
  | ({ code: 'transfer_fails' } & Trade)
  /** The sale or transfer failed in the transaction of the purchase: a trap, or a pause between trades. */
  | ({ code: 'sell_fails_at_once' } & Trade)
  /** Some of what arrived was sold, the rest was not: a balance that does not exist, or a limit on sales. */
  | ({ code: 'part_unsold' } & Trade)
  /** A simulated purchase failed, so that nothing could be measured. */
  | ({ code: 'buy_fails' } & Trade)
  /** So little is in the pool that rounding would hide a tax. */
  | { code: 'pool_too_small'; exchange: string; quote: string }
  /** The node supports neither simulations nor state overrides, and the multicall was refused too. */
  | { code: 'no_simulation'; exchange: string; quote: string }
  /** The router does not belong to the pool's exchange: the campaign file is wrong. */
  | { code: 'router_differs'; exchange: string }
  /** The campaign file names no exchanges for this chain. */
  | { code: 'no_markets' }
  | { code: 'placeholder' }
  | { code: 'other_chain'; expected: number; answered: string }
  /** There is no contract at the address, as the claim `chain` says. */
  | { code: 'nothing_there' }
  /** A call got no result. */
  | { code: 'no_answer'; method: string; failure: RpcFailure }
  /** A result that cannot be right: of the wrong length, out of range or at odds with another. */
  | { code: 'odd_answer'; method: string; answer: string }
  /** Nodes behind one URL disagree about the block. */
  | { code: 'heads_differ'; block: number }

export type Pool = {
  exchange: string
  /** Symbol of the other token in the pool. */
  quote: string
  address: string
  /** How much of its liquidity is burned, without the exchange's fee and the 1,000 units every pool locks. */
  burnedBps: number
  /** Its share of the liquidity of all pools; null if its worth is unknown. */
  shareBps: number | null
}

/** How a trade was simulated, from the strongest evidence to the weakest. */
export type TradeMethod =
  /** eth_simulateV1: purchase, transfer and sales by plain accounts in five blocks. */
  | 'simulation'
  /** eth_call of a contract that buys, sends and sells while it is created, all in one transaction. */
  | 'probe'
  /** eth_call of Multicall3, all in one transaction. A token may treat it differently from people. */
  | 'multicall'

export type Trade = { method: TradeMethod; exchange: string; quote: string }

/** A call that a verdict rests on. */
export type AnsweredCall = RpcCall & {
  /** The result or the failure as JSON, cut off after {@link MAX_ANSWER_LENGTH} characters. */
  answer: string
}

export const MAX_ANSWER_LENGTH = 200

/** The verdict on a claim. `asked`: the calls in their order, so that anyone can make them again. */
export type Proof = { claim: ProofClaim; verdict: Verdict; reason: Reason; asked: readonly AnsweredCall[] }

/** The block that all answers are from. `time`: seconds since 1970. */
export type Block = { number: number; hash: string; time: number }

/** One proof for each claim, in the order of PROOF_CLAIMS. `block` is null if no answer could be used. */
export type TokenCheck = { block: Block | null; proofs: readonly Proof[] }
