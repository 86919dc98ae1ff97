import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Lifetime } from '#server/testing/product.ts'

/** `headers`: names and values alternate. `body`: in Base64. */
export type Answer = { status: number; headers: string[]; body: string }

/** Records one answer of a server on this machine. */
export async function recordAnswer(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const call = request({ host: '127.0.0.1', port, path, headers }).end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return {
    status: response.statusCode ?? 0,
    headers: response.rawHeaders,
    body: Buffer.concat(chunks).toString('base64'),
  }
}

/**
 * Starts a bare `node:http` server that gives this answer to every request, to measure what Node itself
 * costs. It runs in another process, without this process's flags.
 * @returns its port
 */
export async function startBareServer(lifetime: Lifetime, answer: Answer): Promise<number> {
  const child = fork(import.meta.filename, { execArgv: [] })
  lifetime.after(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit')
  })
  child.send(answer)
  const [port] = (await once(child, 'message')) as [number]
  return port
}

const SET_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** The process of {@link startBareServer}. */
function serveRecorded({ status, headers, body }: Answer): void {
  const bytes = Buffer.from(body, 'base64')
  const nameAt = (index: number) => headers[index - (index % 2)]?.toLowerCase() ?? ''
  const recorded = headers.filter((_, index) => !SET_BY_NODE.has(nameAt(index)))
  const server = createServer((_, response) => response.writeHead(status, recorded).end(bytes))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

if (import.meta.main) {
  process.once('message', serveRecorded)
  process.once('disconnect', () => process.exit())
}
