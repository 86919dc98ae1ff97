import type { Block } from '#contract/token-proofs/proof.ts'
import { isQuantity, type RpcReply } from '#contract/token-proofs/rpc.ts'

export const resultOf = (reply: RpcReply | undefined): unknown =>
  reply && 'result' in reply ? reply.result : undefined

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A JSON-RPC quantity; undefined if a number might not hold it exactly. */
export const toNumber = (value: unknown): number | undefined =>
  isQuantity(value) ? Number(value) : undefined

/** A JSON-RPC quantity of at most 32 bytes. */
export function toBigInt(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}

/** Any number of whole bytes. */
export function toBytes(value: unknown): string | undefined {
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value) ? value : undefined
}

/** 32 bytes in lower case. */
export function toHash(value: unknown): string | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined
}

/** 20 bytes in lower case. */
export function toAddress(value: unknown): string | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value) ? value.toLowerCase() : undefined
}

export function toBlock(value: unknown): Block | undefined {
  if (!isObject(value)) return undefined
  const number = toNumber(value['number'])
  const hash = toHash(value['hash'])
  const time = toNumber(value['timestamp'])
  return number === undefined || hash === undefined || time === undefined ? undefined : { number, hash, time }
}

export const toQuantity = (number: number) => `0x${number.toString(16)}`

/** Asks for a block without the contents of its transactions. */
export const blockCall = (number: number) => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), false],
})
