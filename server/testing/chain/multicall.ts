import type { Hex } from 'viem'
import type { Anvil } from '../fakes/anvil.ts'

const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Puts Multicall3 where PulseChain has it. viem ships its creation code, but not as an export. */
export async function placeMulticall(chain: Anvil): Promise<void> {
  const constants = new URL('./constants/contracts.js', import.meta.resolve('viem')).href
  const { multicall3Bytecode } = (await import(constants)) as { multicall3Bytecode: Hex }
  const code = await chain.call('eth_call', [{ data: multicall3Bytecode }, 'latest'])
  await chain.call('anvil_setCode', [MULTICALL, code])
}
