import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Abi, Hex } from 'viem'

/** @property bytecode creates the contract */
export type Artifact = { abi: Abi; bytecode: Hex }

/** The contracts of each file. Tests of one process share them, so they have to agree on `optimize`. */
const compiled = new Map<string, Promise<Record<string, Artifact>>>()

const CACHE = path.resolve(import.meta.dirname, '../../../.cache/solidity')

/**
 * Compiles for the Paris hard fork, which PulseChain supports. The result is kept on disk, because compiling
 * takes seconds: two for the tokens of the tests, and five more with the optimizer.
 */
export function compileSolidity(
  file: string,
  { optimize }: { optimize: boolean },
): Promise<Record<string, Artifact>> {
  const key = `${file} ${optimize}`
  const contracts = compiled.get(key) ?? compile(file, optimize)
  compiled.set(key, contracts)
  return contracts
}

async function compile(file: string, optimize: boolean): Promise<Record<string, Artifact>> {
  const source = await readFile(file, 'utf8')
  const compiler = createRequire(import.meta.url).resolve('solc/soljson.js')
  const { version } = createRequire(import.meta.url)('solc/package.json') as { version: string }
  const input = JSON.stringify({
    language: 'Solidity',
    sources: { [path.basename(file)]: { content: source } },
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: optimize, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  })
  const cached = path.join(CACHE, `${createHash('sha256').update(version).update(input).digest('hex')}.json`)
  const known = await readFile(cached, 'utf8').catch(() => undefined)
  if (known !== undefined) return readOutput(known)
  await mkdir(CACHE, { recursive: true })
  // Kept whole or not at all, because other test runs may read it meanwhile.
  const draft = `${cached}.${process.pid}`
  await runCompiler(path.join(path.dirname(compiler), 'solc.js'), input, draft)
  const contracts = readOutput(await readFile(draft, 'utf8'))
  await rename(draft, cached)
  return contracts
}

/**
 * The compiler has its own process, because it takes 265 MB and handles uncaught errors. It writes to a file,
 * because it exits without waiting until a pipe has taken more than 140 KB.
 */
async function runCompiler(solc: string, input: string, target: string): Promise<void> {
  const file = await open(target, 'w')
  const child = spawn(process.execPath, [solc, '--standard-json'], { stdio: ['pipe', file.fd, 'inherit'] })
  child.stdin?.end(input)
  await once(child, 'exit')
  await file.close()
}

type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

function readOutput(output: string): Record<string, Artifact> {
  // The compiler first prints that it has no SMT solver.
  const { errors = [], contracts = {} } = JSON.parse(output.slice(output.indexOf('{'))) as Output
  const faults = errors.filter(({ severity }) => severity === 'error')
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const all = Object.values(contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(
    all.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` as const }]),
  )
}
