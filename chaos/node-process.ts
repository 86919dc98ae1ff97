import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { freshIp } from '#server/testing/builders/fresh-ip.ts'
import { startProgram, type RunningProgram } from '#server/testing/product.ts'
import { callApi } from '../e2e/support/caller.ts'
import type { CallInput, Reply } from './world.ts'

/** After this time, a call counts as unanswered. A killed node may never answer. */
const TIMEOUT_MS = 20_000

export type NodeProcess = {
  call(endpoint: Endpoint, input: CallInput): Promise<Reply>
  /** Kills the node (SIGKILL) and restarts it. Resolves when it is ready. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** @throws with the node's output if it does not become ready. */
export async function startNodeProcess(env: Record<string, string>): Promise<NodeProcess> {
  let running = start(env)
  await running
  const end = async (signalName: NodeJS.Signals) => {
    const { signal, exited } = await running
    signal(signalName)
    await exited
  }
  return {
    // A call during a restart waits for it. A call that is running when the node is killed gets no answer.
    call: async (endpoint, input) => callAt((await running).url, endpoint, input),
    async crash() {
      running = end('SIGKILL').then(() => start(env))
      await running
    },
    stop: () => end('SIGTERM'),
  }
}

/** A test would stop the program at its end. Here, the caller stops the node. */
const UNOWNED = { after: () => {} }

async function start(env: Record<string, string>): Promise<RunningProgram> {
  const running = await startProgram(UNOWNED, env)
  if (running.url === '') throw new Error(`A node did not start:\n${running.output.join('\n')}`)
  return running
}

/** Calls a node or a balancer. If the code is `no_answer`, the call may or may not have been carried out. */
export async function callAt(url: string, endpoint: Endpoint, input: CallInput): Promise<Reply> {
  try {
    // Always from another network: a single one would exceed rate limits and look like one person.
    const { status, body } = await callApi(url, endpoint, {
      ...input,
      from: freshIp(),
      timeoutMs: TIMEOUT_MS,
    })
    return { status, body: body as Reply['body'] }
  } catch {
    return { status: 503, body: { code: 'no_answer' } }
  }
}
