import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { API_BASE, type Endpoint } from '#contract/protocol/endpoint.ts'
import { freshIp } from '#server/testing/builders/fresh-ip.ts'
import type { Given, Reply } from './world.ts'

const CHECKOUT = path.resolve(import.meta.dirname, '..')
const PROGRAM = path.join(CHECKOUT, 'server/main.ts')
/** A killed node never answers. */
const TIMEOUT_MS = 20_000

/** A node as a process that can be killed and restarted. */
export type NodeProcess = {
  call(endpoint: Endpoint, given: Given): Promise<Reply>
  /** Kills it (SIGKILL) and restarts it; resolves when it is ready. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** @throws with the node's output if it does not become ready. */
export async function startNodeProcess(env: Record<string, string>): Promise<NodeProcess> {
  let running = start(env)
  await running
  return {
    // A call during a restart waits for it; a call in flight when the node is killed gets no answer.
    call: async (endpoint, given) => callAt((await running).url, endpoint, given),
    async crash() {
      const { child } = await running
      running = end(child, 'SIGKILL').then(() => start(env))
      await running
    },
    stop: async () => end((await running).child, 'SIGTERM'),
  }
}

async function start(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: CHECKOUT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        output.push(line)
        const url = /^Dropwright is ready: (\S+)$/.exec(line)?.[1]
        if (url) resolve(url)
      })
  })
  const url = await Promise.race([ready, once(child, 'exit').then(() => undefined)])
  if (url === undefined) throw new Error(`A node did not start:\n${output.join('\n')}`)
  return { child, url }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** Calls a node, or a balancer. Without an answer the outcome is unknown: the call may or may not have been carried out. */
export async function callAt(url: string, endpoint: Endpoint, given: Given): Promise<Reply> {
  try {
    const response = await fetch(addressOf(url, endpoint, given), {
      method: endpoint.method,
      headers: {
        'x-forwarded-for': freshIp(),
        ...(given.token ? { authorization: `Bearer ${given.token}` } : {}),
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, body: (await response.json()) as Reply['body'] }
  } catch {
    return { status: 503, body: { code: 'no_answer' } }
  }
}

function addressOf(origin: string, endpoint: Endpoint, { params = {}, query = {} }: Given): URL {
  const route = endpoint.path.replace(/:([a-zA-Z]+)/g, (_all, name: string) => params[name] ?? '')
  const url = new URL(API_BASE + route, origin)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
  return url
}
