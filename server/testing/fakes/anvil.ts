import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

/** Shanghai is the newest hard fork that PulseChain has adopted. */
const RULES = ['--chain-id', '369', '--hardfork', 'shanghai']

/** Starts a chain with PulseChain's id and rules on a free port. It mines a block for each transaction. */
export async function startAnvil() {
  const child = spawn(binary(), [...RULES, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit')
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /^Listening on (\S+)$/.exec(line)?.[1]
      if (address) resolve(`http://${address}`)
    })
  })
  const url = await Promise.race([listening, exited.then(() => undefined)])
  if (url === undefined) throw new Error(`anvil ended with code ${child.exitCode} before it listened`)
  /** @throws with the chain's error message. */
  const call = (method: string, params: readonly unknown[] = []) => rpc(url, method, params)
  return {
    url,
    call,
    mine: async (blocks: number) => void (await call('anvil_mine', [`0x${blocks.toString(16)}`])),
    async stop() {
      kill()
      await exited
      process.off('exit', kill)
    },
  }
}

export type Anvil = Awaited<ReturnType<typeof startAnvil>>

/** The chain itself. Killing the launcher in the main package would leave the chain running. */
function binary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const mainPackage = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'))
  return mainPackage.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`)
}

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await reply.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}
