import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Abi, Hex } from 'viem'

/** @property bytecode creates the contract */
export type Artifact = { abi: Abi; bytecode: Hex }

/** The contracts of each file. Tests of one process share a run of the compiler. */
const compiled = new Map<string, Promise<Record<string, Artifact>>>()

const CACHE = path.resolve(import.meta.dirname, '../../../.cache/solidity')

/** For the Paris hard fork, which PulseChain supports. Kept on disk, because compiling takes seconds. */
export function compileSolidity(file: string): Promise<Record<string, Artifact>> {
  const contracts = compiled.get(file) ?? compile(file)
  compiled.set(file, contracts)
  return contracts
}

async function compile(file: string): Promise<Record<string, Artifact>> {
  const source = await readFile(file, 'utf8')
  const compiler = createRequire(import.meta.url).resolve('solc/soljson.js')
  const { version } = createRequire(import.meta.url)('solc/package.json') as { version: string }
  const input = JSON.stringify({
    language: 'Solidity',
    sources: { [path.basename(file)]: { content: source } },
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  })
  const cached = path.join(CACHE, `${createHash('sha256').update(version).update(input).digest('hex')}.json`)
  const known = await readFile(cached, 'utf8').catch(() => undefined)
  const output = known ?? (await runCompiler(path.join(path.dirname(compiler), 'solc.js'), input))
  const contracts = readOutput(output)
  if (known === undefined) await keep(cached, output)
  return contracts
}

/** The compiler has its own process, because it takes 265 MB and handles uncaught errors. */
async function runCompiler(solc: string, input: string): Promise<string> {
  const child = spawn(process.execPath, [solc, '--standard-json'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  const output = await text(child.stdout)
  // The compiler first prints that it has no SMT solver.
  return output.slice(output.indexOf('{'))
}

type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

function readOutput(output: string): Record<string, Artifact> {
  const { errors = [], contracts = {} } = JSON.parse(output) as Output
  const faults = errors.filter(({ severity }) => severity === 'error')
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const all = Object.values(contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(
    all.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` as const }]),
  )
}

/** Writes a file whole or not at all, because other test runs may read it meanwhile. */
async function keep(file: string, output: string) {
  await mkdir(CACHE, { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, output)
  await rename(draft, file)
}
